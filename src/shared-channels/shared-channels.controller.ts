import { Controller, Get, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../platform/common/dto/operation.js';
import { IdParam, type Page, QueryPage } from '../platform/common/dto/params.js';
import { RequirePermission } from '../platform/access/access.js';
import { type Actor, CurrentActor } from '../messaging/permissions/actor.js';
import { SharedChannelPermission } from './shared-channels.errors.js';
import { RemoteIdParam } from '../remote-cluster/dto/write-remote-cluster.dto.js';
import { RemoteClustersEnabledGuard } from '../remote-cluster/peer/remote-peer.guard.js';
import { SharedChannelDto, SharedChannelRemoteDto, ShareQuery } from './shared-channels.dto.js';
import type { ShareFilter } from './shared-channels.repository.js';
import { SharedChannelsService } from './shared-channels.service.js';

/** Channels that are shared over secure connections. */
@ApiTags('shared channels')
@Controller()
@RequirePermission(SharedChannelPermission.ManageSharedChannels)
@UseGuards(RemoteClustersEnabledGuard)
export class SharedChannelsController {
  constructor(private readonly channels: SharedChannelsService) {}

  @Post('remotecluster/:remote_id/channels/:channel_id/invite')
  @Audited('inviteRemoteClusterToChannel', 'remote_id/channel_id')
  @Operation({
    summary: 'Share a channel over a secure connection',
    description:
      'The channel appears on the other server, in the team of the connection there; new posts appear on both. Repeating it changes nothing.',
    ok: StatusOkDto,
    errors: [404, 501],
  })
  async inviteRemoteClusterToChannel(
    @CurrentActor() actor: Actor,
    @RemoteIdParam() remoteId: string,
    @IdParam('channel_id', 'A public or private channel of this server.') channelId: string,
  ): Promise<StatusOkDto> {
    await this.channels.invite(actor, remoteId, channelId);
    return STATUS_OK;
  }

  @Post('remotecluster/:remote_id/channels/:channel_id/uninvite')
  @Audited('uninviteRemoteClusterToChannel', 'remote_id/channel_id')
  @Operation({
    summary: 'Stop sharing a channel over a secure connection',
    description: 'Posts that the other server has received stay there.',
    ok: StatusOkDto,
    errors: [404, 501],
  })
  async uninviteRemoteClusterToChannel(
    @RemoteIdParam() remoteId: string,
    @IdParam('channel_id', 'The channel.') channelId: string,
  ): Promise<StatusOkDto> {
    await this.channels.uninvite(remoteId, channelId);
    return STATUS_OK;
  }

  @Get('remotecluster/:remote_id/sharedchannelremotes')
  @Operation({
    summary: 'List the channels that are shared over a secure connection',
    description: 'With the lag of the other server in each, and the state of the invite.',
    ok: [SharedChannelRemoteDto],
    errors: [404, 501],
  })
  async getSharedChannelRemotesByRemoteCluster(
    @RemoteIdParam() remoteId: string,
    @QueryPage() page: Page,
    @ShareQuery() query: Omit<ShareFilter, 'remoteId'>,
  ): Promise<SharedChannelRemoteDto[]> {
    const shares = await this.channels.listShares({ remoteId, ...query }, page);
    return shares.map(([share, state]) => SharedChannelRemoteDto.from(share, state));
  }

  @Get('sharedchannels/:team_id')
  @Operation({
    summary: 'List the shared channels of a team, by display name',
    ok: [SharedChannelDto],
    errors: [501],
  })
  async getAllSharedChannels(
    @IdParam('team_id', 'The team.') teamId: string,
    @QueryPage() page: Page,
  ): Promise<SharedChannelDto[]> {
    return (await this.channels.listOfTeam(teamId, page)).map((channel) => SharedChannelDto.from(channel));
  }
}
