import { Body, Controller, Delete, Get, Patch, Post, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../platform/common/dto/operation.js';
import { type Page, QueryPage } from '../platform/common/dto/params.js';
import { JsonText } from '../platform/common/http/json-text.js';
import { RequirePermission } from '../platform/access/access.js';
import { type Actor, CurrentActor } from '../messaging/permissions/actor.js';
import { RemoteClusterPermission, RemoteClustersEnabledGuard } from './peer/remote-peer.guard.js';
import {
  AcceptInviteDto,
  type ClusterQuery,
  CreateRemoteClusterDto,
  GenerateInviteDto,
  PatchRemoteClusterDto,
  QueryClusters,
  RemoteIdParam,
} from './dto/write-remote-cluster.dto.js';
import { CheckedPeerDto, CreatedRemoteClusterDto, RemoteClusterDto } from './dto/remote-cluster.dto.js';
import { ChecksService } from './pings/checks.service.js';
import { AcceptanceService } from './handshake.service.js';
import { RemoteClustersService } from './remote-clusters.service.js';

/** The record fields that the audit log keeps. */
const RECORD = ['name', 'display_name', 'default_team_id', 'site_url', 'create_at', 'last_ping_at'];
const CREATED = RECORD.map((field) => `remote_cluster.${field}`);

@ApiTags('secure connections')
@Controller('remotecluster')
@RequirePermission(RemoteClusterPermission.ManageSecureConnections)
@UseGuards(RemoteClustersEnabledGuard)
export class RemoteClustersController {
  constructor(
    private readonly clusters: RemoteClustersService,
    private readonly acceptance: AcceptanceService,
    private readonly checks: ChecksService,
  ) {}

  @Get()
  @Operation({ summary: 'List secure connections, by display name', ok: [RemoteClusterDto], errors: [501] })
  async getRemoteClusters(
    @QueryPage() page: Page,
    @QueryClusters() query: ClusterQuery,
  ): Promise<RemoteClusterDto[]> {
    return (await this.clusters.list(query, page)).map((cluster) => this.clusters.viewOf(cluster));
  }

  @Post()
  @Audited('createRemoteCluster', undefined, { keep: CREATED })
  @Operation({
    summary: 'Create a secure connection, and the invite for the other server',
    description:
      'Send the invite and its password to the administrator of the other server over different channels; it is accepted there. It can be confirmed for `INVITE_TTL`. `SITE_URL` must be set.',
    created: CreatedRemoteClusterDto,
    errors: [422, 429, 501],
  })
  async createRemoteCluster(
    @CurrentActor() actor: Actor,
    @Body() input: CreateRemoteClusterDto,
  ): Promise<CreatedRemoteClusterDto> {
    const { cluster, invite, password } = await this.clusters.create(actor, input);
    return CreatedRemoteClusterDto.from(this.clusters.viewOf(cluster), invite, password);
  }

  @Post('accept_invite')
  @Audited('remoteClusterAcceptInvite', undefined, { keep: ['name', 'display_name', 'site_url'] })
  @Operation({
    summary: 'Accept the invite of another server',
    description:
      'Calls the other server, which confirms. If it cannot be reached or refuses, this returns 500 and nothing is stored. At most 10 attempts per minute and user.',
    created: RemoteClusterDto,
    errors: [422, 429, 500, 501],
  })
  async remoteClusterAcceptInvite(
    @CurrentActor() actor: Actor,
    @Body() input: AcceptInviteDto,
  ): Promise<RemoteClusterDto> {
    return this.clusters.viewOf(await this.acceptance.accept(actor, input));
  }

  @Post(':remote_id/generate_invite')
  @Audited('generateRemoteClusterInvite', 'remote_id')
  @Operation({
    summary: 'Create another invite for a connection that is not confirmed yet',
    description:
      'Earlier invites stay valid until one of them is confirmed. The response is the bare invite.',
    errors: [404, 422, 429, 501],
  })
  @ApiCreatedResponse({ schema: { type: 'string', example: 'AAECAwQFBgc…PPzc8Q==' } })
  async generateRemoteClusterInvite(
    @RemoteIdParam() remoteId: string,
    @Body() { password }: GenerateInviteDto,
  ): Promise<JsonText> {
    return new JsonText(await this.clusters.generateInvite(remoteId, password));
  }

  @Post(':remote_id/check')
  @Audited('checkRemoteCluster', 'remote_id', { isLate: true })
  @Operation({
    summary: 'Check a secure connection now',
    description:
      'Pings the other server once, as the server does by itself every `PEER_PING_INTERVAL`, and returns when it last called. At most six times a minute per connection.',
    ok: CheckedPeerDto,
    errors: [400, 404, 409, 429, 501],
  })
  checkRemoteCluster(@RemoteIdParam() remoteId: string): Promise<CheckedPeerDto> {
    return this.checks.check(remoteId);
  }

  @Get(':remote_id')
  @Operation({
    summary: 'Get a secure connection, even a deleted one',
    ok: RemoteClusterDto,
    errors: [404, 501],
  })
  async getRemoteCluster(@RemoteIdParam() remoteId: string): Promise<RemoteClusterDto> {
    return this.clusters.viewOf(await this.clusters.get(remoteId));
  }

  @Patch(':remote_id')
  @Audited('patchRemoteCluster', 'remote_id', { keep: RECORD })
  @Operation({
    summary: 'Change the display name or the team of a secure connection',
    ok: RemoteClusterDto,
    errors: [404, 501],
  })
  async patchRemoteCluster(
    @RemoteIdParam() remoteId: string,
    @Body() input: PatchRemoteClusterDto,
  ): Promise<RemoteClusterDto> {
    return this.clusters.viewOf(await this.clusters.patch(remoteId, input));
  }

  @Delete(':remote_id')
  @Audited('deleteRemoteCluster', 'remote_id', { keep: RECORD })
  @Operation({
    summary: 'Delete a secure connection',
    description:
      'Its tokens become invalid at once, its channels are no longer shared with it, and waiting messages are cancelled. The other server is not notified: it shows the connection as offline until it is deleted there too.',
    ok: StatusOkDto,
    errors: [404, 501],
  })
  async deleteRemoteCluster(@RemoteIdParam() remoteId: string): Promise<StatusOkDto> {
    await this.clusters.delete(remoteId);
    return STATUS_OK;
  }
}
