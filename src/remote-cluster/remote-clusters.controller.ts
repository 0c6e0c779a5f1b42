import { Body, Controller, Delete, Get, Patch, Post, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../platform/common/dto/operation.js';
import { type Page, QueryPage } from '../platform/common/dto/params.js';
import { JsonText } from '../platform/common/http/json-text.js';
import { RequirePermission } from '../platform/access/access.js';
import { type Actor, CurrentActor } from '../messaging/permissions/actor.js';
import { RemoteClusterPermission } from './remote-cluster.permissions.js';
import { type ClusterQuery, QueryClusters, RemoteIdParam } from './dto/cluster-query.js';
import type { CheckedPeerDto } from './dto/checked-peer.dto.js';
import { CreatedRemoteClusterDto, type RemoteClusterDto } from './dto/remote-cluster.dto.js';
import {
  AcceptInviteDto,
  CreateRemoteClusterDto,
  GenerateInviteDto,
  PatchRemoteClusterDto,
} from './dto/write-remote-cluster.dto.js';
import { ChecksService } from './checks/checks.service.js';
import { AcceptanceService } from './handshake/acceptance.service.js';
import { RemoteClusterViews } from './remote-cluster-views.js';
import { RemoteClustersEnabledGuard } from './remote-clusters-enabled.guard.js';
import { RemoteClustersService } from './remote-clusters.service.js';
import { DOCS } from './remote-clusters.docs.js';

/** What the audit log keeps of a record. */
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
    private readonly views: RemoteClusterViews,
  ) {}

  @Get()
  @Operation(DOCS.getRemoteClusters)
  async getRemoteClusters(
    @QueryPage() page: Page,
    @QueryClusters() query: ClusterQuery,
  ): Promise<RemoteClusterDto[]> {
    return (await this.clusters.list(query, page)).map((cluster) => this.views.of(cluster));
  }

  @Post()
  @Audited('createRemoteCluster', undefined, { keep: CREATED })
  @Operation(DOCS.createRemoteCluster)
  async createRemoteCluster(
    @CurrentActor() actor: Actor,
    @Body() input: CreateRemoteClusterDto,
  ): Promise<CreatedRemoteClusterDto> {
    const { cluster, invite, password } = await this.clusters.create(actor, input);
    return CreatedRemoteClusterDto.from(this.views.of(cluster), invite, password);
  }

  @Post('accept_invite')
  @Audited('remoteClusterAcceptInvite', undefined, { keep: ['name', 'display_name', 'site_url'] })
  @Operation(DOCS.remoteClusterAcceptInvite)
  async remoteClusterAcceptInvite(
    @CurrentActor() actor: Actor,
    @Body() input: AcceptInviteDto,
  ): Promise<RemoteClusterDto> {
    return this.views.of(await this.acceptance.accept(actor, input));
  }

  @Post(':remote_id/generate_invite')
  @Audited('generateRemoteClusterInvite', 'remote_id')
  @Operation(DOCS.generateRemoteClusterInvite)
  @ApiCreatedResponse({ schema: { type: 'string', example: 'AAECAwQFBgc…PPzc8Q==' } })
  async generateRemoteClusterInvite(
    @RemoteIdParam() remoteId: string,
    @Body() { password }: GenerateInviteDto,
  ): Promise<JsonText> {
    return new JsonText(await this.clusters.generateInvite(remoteId, password));
  }

  @Post(':remote_id/check')
  @Audited('checkRemoteCluster', 'remote_id', { isLate: true })
  @Operation(DOCS.checkRemoteCluster)
  checkRemoteCluster(@RemoteIdParam() remoteId: string): Promise<CheckedPeerDto> {
    return this.checks.check(remoteId);
  }

  @Get(':remote_id')
  @Operation(DOCS.getRemoteCluster)
  async getRemoteCluster(@RemoteIdParam() remoteId: string): Promise<RemoteClusterDto> {
    return this.views.of(await this.clusters.get(remoteId));
  }

  @Patch(':remote_id')
  @Audited('patchRemoteCluster', 'remote_id', { keep: RECORD })
  @Operation(DOCS.patchRemoteCluster)
  async patchRemoteCluster(
    @RemoteIdParam() remoteId: string,
    @Body() input: PatchRemoteClusterDto,
  ): Promise<RemoteClusterDto> {
    return this.views.of(await this.clusters.patch(remoteId, input));
  }

  @Delete(':remote_id')
  @Audited('deleteRemoteCluster', 'remote_id', { keep: RECORD })
  @Operation(DOCS.deleteRemoteCluster)
  async deleteRemoteCluster(@RemoteIdParam() remoteId: string): Promise<StatusOkDto> {
    await this.clusters.delete(remoteId);
    return STATUS_OK;
  }
}
