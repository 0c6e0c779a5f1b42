import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { StringListBody } from '../../platform/common/dto/list-body.pipe.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { type Page, QueryFlag, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { ChannelPermission, WHO_READS } from './channels.permissions.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { TeamIdParam, TeamNameParam } from '../teams/dto/team.params.js';
import { TeamScope } from '../teams/team.scope.js';
import { ChannelsService } from './channels.service.js';
import { ChannelNameParam } from './dto/channel.params.js';
import { ChannelDto } from './dto/channel.dto.js';

const INCLUDE_DELETED = 'Find archived channels too.';
const MAX_IDS = 1000;

@ApiTags('channels')
@Controller('teams')
export class TeamChannelsController {
  constructor(private readonly channels: ChannelsService) {}

  @Get('name/:team_name/channels/name/:channel_name')
  @CheckedByPolicy([CommonPermission.ReadChannel, CommonPermission.ReadPublicChannel], WHO_READS)
  @Operation({
    summary: 'Get a channel by its name and the name of its team',
    description: 'A private channel of others answers 404.',
    ok: ChannelDto,
    errors: [404],
  })
  async getChannelByNameForTeamName(
    @CurrentActor() actor: Actor,
    @TeamNameParam() teamName: string,
    @ChannelNameParam() name: string,
    @QueryFlag('include_deleted', INCLUDE_DELETED) includeArchived: boolean,
  ): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.getByTeamName(actor, teamName, name, includeArchived));
  }

  @Get(':team_id/channels/name/:channel_name')
  @CheckedByPolicy([CommonPermission.ReadChannel, CommonPermission.ReadPublicChannel], WHO_READS)
  @Operation({
    summary: 'Get a channel by its name',
    description:
      'A private channel of others answers 404. Direct and group channels are found from every team.',
    ok: ChannelDto,
    errors: [404],
  })
  async getChannelByName(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @ChannelNameParam() name: string,
    @QueryFlag('include_deleted', INCLUDE_DELETED) includeArchived: boolean,
  ): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.getByName(actor, teamId, name, includeArchived));
  }

  @Get(':team_id/channels')
  @RequirePermission(ChannelPermission.ListTeamChannels, TeamScope)
  @Operation({
    summary: 'List the open channels of a team by display name',
    ok: [ChannelDto],
    errors: [404],
  })
  async getPublicChannelsForTeam(
    @TeamIdParam() teamId: string,
    @QueryPage() page: Page,
  ): Promise<ChannelDto[]> {
    return (await this.channels.listOpen(teamId, page)).map((channel) => ChannelDto.from(channel));
  }

  @Post(':team_id/channels/ids')
  @CheckedByPolicy(CommonPermission.ViewTeam, '`view_team`, and the right to read each of them')
  @Operation({
    summary: 'Get several open channels of a team',
    description: 'Unknown, private and archived ones are skipped.',
    ok: [ChannelDto],
    errors: [404],
  })
  async getPublicChannelsByIdsForTeam(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @StringListBody('channel_ids', MAX_IDS, 'k4tdzcm5wtd5jfzn8u5fxpbkjr') ids: string[],
  ): Promise<ChannelDto[]> {
    return (await this.channels.listByIds(actor, teamId, ids)).map((channel) => ChannelDto.from(channel));
  }

  @Get(':team_id/channels/private')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({
    summary: 'List the private channels of a team',
    ok: [ChannelDto],
    errors: [404],
  })
  async getPrivateChannelsForTeam(
    @TeamIdParam() teamId: string,
    @QueryPage() page: Page,
  ): Promise<ChannelDto[]> {
    return (await this.channels.listPrivate(teamId, page)).map((channel) => ChannelDto.from(channel));
  }

  @Get(':team_id/channels/deleted')
  @RequirePermission(ChannelPermission.ListTeamChannels, TeamScope)
  @Operation({
    summary: 'List the archived channels of a team',
    description: 'Open ones and your own private ones; holders of `manage_system` see all.',
    ok: [ChannelDto],
    errors: [404],
  })
  async getDeletedChannelsForTeam(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @QueryPage() page: Page,
  ): Promise<ChannelDto[]> {
    return (await this.channels.listArchived(actor, teamId, page)).map((channel) => ChannelDto.from(channel));
  }
}
