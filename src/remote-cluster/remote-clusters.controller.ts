import { Body, Controller, Delete, Get, HttpCode, Patch, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { KeepPrior } from '../platform/audit/audit.interceptor.js';
import { Audited } from '../platform/common/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../platform/common/dto/operation.js';
import { type Page, QueryPage } from '../platform/common/dto/params.js';
import { JsonText } from '../platform/common/http/json-text.js';
import { RequirePermission } from '../platform/access/access.js';
import { type Actor, CurrentActor } from '../messaging/permissions/actor.js';
import { RemoteClusterPermission } from './remote-cluster.permissions.js';
import { ApiClusterQuery, type ClusterQuery, QueryClusters, RemoteIdParam } from './dto/cluster-query.js';
import { CreatedRemoteClusterDto, RemoteClusterDto } from './dto/remote-cluster.dto.js';
import {
  AcceptInviteDto,
  CreateRemoteClusterDto,
  GenerateInviteDto,
  PatchRemoteClusterDto,
} from './dto/write-remote-cluster.dto.js';
import { AcceptanceService } from './handshake/acceptance.service.js';
import { RemoteClustersEnabledGuard } from './remote-clusters-enabled.guard.js';
import { RemoteClustersService } from './remote-clusters.service.js';

/** What the audit log keeps of a record. */
const RECORD = ['name', 'display_name', 'default_team_id', 'site_url', 'create_at', 'last_ping_at'];
const CREATED = RECORD.map((field) => `remote_cluster.${field}`);
const PERMISSION = '`manage_secure_connections`';

@ApiTags('secure connections')
@ApiBearerAuth()
@Controller('remotecluster')
@RequirePermission(RemoteClusterPermission.ManageSecureConnections)
@UseGuards(RemoteClustersEnabledGuard)
export class RemoteClustersController {
  constructor(
    private readonly clusters: RemoteClustersService,
    private readonly acceptance: AcceptanceService,
  ) {}

  @Get()
  @Operation({
    summary: 'List secure connections, by display name',
    permission: PERMISSION,
    errors: [400, 401, 403, 501],
  })
  @ApiClusterQuery()
  @ApiOkResponse({ type: [RemoteClusterDto] })
  async getRemoteClusters(
    @QueryPage() page: Page,
    @QueryClusters() query: ClusterQuery,
  ): Promise<RemoteClusterDto[]> {
    return (await this.clusters.list(query, page)).map((cluster) => RemoteClusterDto.from(cluster));
  }

  @Post()
  @Audited('createRemoteCluster', undefined, { keep: CREATED })
  @Operation({
    summary: 'Make a secure connection, and the invite for the other server',
    description:
      'Give the invite and its password to the administrator of the other server by different ways; there it is accepted. It can be confirmed for `INVITE_TTL`. `SITE_URL` must be set.',
    permission: PERMISSION,
    errors: [400, 401, 403, 413, 422, 429, 501],
  })
  @ApiCreatedResponse({ type: CreatedRemoteClusterDto })
  async createRemoteCluster(
    @CurrentActor() actor: Actor,
    @Body() input: CreateRemoteClusterDto,
  ): Promise<CreatedRemoteClusterDto> {
    return CreatedRemoteClusterDto.from(await this.clusters.create(actor, input));
  }

  @Post('accept_invite')
  @Audited('remoteClusterAcceptInvite', undefined, { keep: ['name', 'display_name', 'site_url'] })
  @Operation({
    summary: 'Accept the invite of another server',
    description:
      'Calls the other server, which confirms. If it cannot be reached or refuses, the answer is a 500 and nothing is stored. At most 10 attempts a minute for each user.',
    permission: PERMISSION,
    errors: [400, 401, 403, 413, 422, 429, 500, 501],
  })
  @ApiCreatedResponse({ type: RemoteClusterDto })
  async remoteClusterAcceptInvite(
    @CurrentActor() actor: Actor,
    @Body() input: AcceptInviteDto,
  ): Promise<RemoteClusterDto> {
    return RemoteClusterDto.from(await this.acceptance.accept(actor, input));
  }

  @Post(':remote_id/generate_invite')
  @Audited('generateRemoteClusterInvite', 'remote_id')
  @Operation({
    summary: 'Make a further invite for a connection that is not confirmed yet',
    description: 'Earlier invites stay valid until one of them is confirmed. The answer is the bare invite.',
    permission: PERMISSION,
    errors: [400, 401, 403, 404, 413, 422, 429, 501],
  })
  @ApiCreatedResponse({ schema: { type: 'string', example: 'AAECAwQFBgc…PPzc8Q==' } })
  async generateRemoteClusterInvite(
    @RemoteIdParam() remoteId: string,
    @Body() { password }: GenerateInviteDto,
  ): Promise<JsonText> {
    return new JsonText(await this.clusters.generateInvite(remoteId, password));
  }

  @Get(':remote_id')
  @Operation({
    summary: 'Get a secure connection, a deleted one too',
    permission: PERMISSION,
    errors: [401, 403, 404, 501],
  })
  @ApiOkResponse({ type: RemoteClusterDto })
  async getRemoteCluster(@RemoteIdParam() remoteId: string): Promise<RemoteClusterDto> {
    return RemoteClusterDto.from(await this.clusters.get(remoteId));
  }

  @Patch(':remote_id')
  @Audited('patchRemoteCluster', 'remote_id', { keep: RECORD })
  @Operation({
    summary: 'Change the display name or the team of a secure connection',
    permission: PERMISSION,
    errors: [400, 401, 403, 404, 413, 501],
  })
  @ApiOkResponse({ type: RemoteClusterDto })
  async patchRemoteCluster(
    @RemoteIdParam() remoteId: string,
    @Body() input: PatchRemoteClusterDto,
    @KeepPrior() keep: KeepPrior,
  ): Promise<RemoteClusterDto> {
    const { before, after } = await this.clusters.patch(remoteId, input);
    keep(RemoteClusterDto.from(before));
    return RemoteClusterDto.from(after);
  }

  @Delete(':remote_id')
  @HttpCode(200)
  @Audited('deleteRemoteCluster', 'remote_id', { keep: RECORD })
  @Operation({
    summary: 'Delete a secure connection',
    description:
      'Its tokens are dead at once, its channels are not shared with it any more, and what waits for it is cancelled. The other server is not told: it shows the connection as offline until it is deleted there too.',
    permission: PERMISSION,
    errors: [401, 403, 404, 501],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async deleteRemoteCluster(
    @RemoteIdParam() remoteId: string,
    @KeepPrior() keep: KeepPrior,
  ): Promise<StatusOkDto> {
    keep(RemoteClusterDto.from(await this.clusters.delete(remoteId)));
    return STATUS_OK;
  }
}
