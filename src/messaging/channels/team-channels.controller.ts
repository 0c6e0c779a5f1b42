import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { StringListBody } from '../../platform/common/dto/body.pipe.js';
import { oneOf, Operation } from '../../platform/common/dto/operation.js';
import { type Page, QueryFlag, QueryPage, QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission, SignedIn } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { ChannelPermission, ForReaders } from './channels.policy.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { TeamIdParam, TeamNameParam } from '../teams/dto/team.dto.js';
import { TeamScope } from '../teams/teams.policy.js';
import {
  ChannelDto,
  ChannelNameParam,
  ChannelsWithCountDto,
  ChannelWithTeamDto,
  SearchAllChannelsDto,
  SearchChannelsDto,
} from './dto/channel.dto.js';
import type { Channel } from './channel.entity.js';
import { TeamChannelsService } from './team-channels.service.js';

const INCLUDE_DELETED = 'Include archived channels.';
const MAX_IDS = 1000;

const LIST_OR_PAGE = oneOf([[ChannelWithTeamDto], ChannelsWithCountDto]);
const OPEN_AND_OWN = 'The first 50 by display name: open ones, and your private ones.';
const NAME = { description: 'Part of the name.', example: 'rel' };

@ApiTags('channels')
@Controller()
export class TeamChannelsController {
  constructor(private readonly channels: TeamChannelsService) {}

  @Get('teams/name/:team_name/channels/name/:channel_name')
  @ForReaders
  @Operation({
    summary: 'Get a channel by its name and the name of its team',
    description: 'A private channel of others returns 404.',
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

  @Get('teams/:team_id/channels/name/:channel_name')
  @ForReaders
  @Operation({
    summary: 'Get a channel by its name',
    description:
      'A private channel of others returns 404. Direct and group channels are found in every team.',
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

  @Get('teams/:team_id/channels')
  @RequirePermission(ChannelPermission.ListTeamChannels, TeamScope)
  @Operation({ summary: 'List the open channels of a team by display name', ok: [ChannelDto], errors: [404] })
  async getPublicChannelsForTeam(
    @TeamIdParam() teamId: string,
    @QueryPage() page: Page,
  ): Promise<ChannelDto[]> {
    return shown(await this.channels.listByType(teamId, 'O', page));
  }

  @Post('teams/:team_id/channels/ids')
  @CheckedByPolicy(CommonPermission.ViewTeam, '`view_team`, and the permission to read each of them')
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
    return shown(await this.channels.listByIds(actor, teamId, ids));
  }

  @Get('teams/:team_id/channels/private')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({ summary: 'List the private channels of a team', ok: [ChannelDto], errors: [404] })
  async getPrivateChannelsForTeam(
    @TeamIdParam() teamId: string,
    @QueryPage() page: Page,
  ): Promise<ChannelDto[]> {
    return shown(await this.channels.listByType(teamId, 'P', page));
  }

  @Get('teams/:team_id/channels/deleted')
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
    return shown(await this.channels.listArchived(actor, teamId, page));
  }

  @Get('channels')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({
    summary: 'List the channels of all teams by display name',
    description: 'Open and private ones; archived ones only with `include_deleted`.',
    ok: LIST_OR_PAGE,
  })
  getAllChannels(
    @QueryPage() page: Page,
    @QueryFlag('include_deleted', INCLUDE_DELETED) includeArchived: boolean,
    @QueryFlag('exclude_default_channels', 'Without `town-square`.') withoutDefault: boolean,
    @QueryFlag('include_total_count', 'Return an object with the total.') withTotal: boolean,
  ): Promise<ChannelWithTeamDto[] | ChannelsWithCountDto> {
    return this.channels.all(page, { includeArchived, withoutDefault, withTotal });
  }

  @Post('channels/search')
  @CheckedByPolicy(CommonPermission.ManageSystem, '`manage_system`; none with `system_console=false`')
  @Operation({
    summary: 'Find channels in all teams by a part of their name',
    description:
      'At most 100; with both `page` and `per_page` it returns an object with the total. `system_console=false` searches your own teams.',
    ok: LIST_OR_PAGE,
  })
  searchAllChannels(
    @CurrentActor() actor: Actor,
    @Body() body: SearchAllChannelsDto,
    @QueryText('system_console', {
      description: 'False searches the teams of the caller.',
      schema: { type: 'boolean', default: true },
    })
    console = 'true',
  ): Promise<ChannelWithTeamDto[] | ChannelsWithCountDto> {
    return this.channels.search(actor, body, console !== 'false');
  }

  @Post('channels/group/search')
  @SignedIn()
  @Operation({
    summary: 'Find your group channels by the names of their members',
    description: 'At most 100.',
    ok: [ChannelDto],
  })
  async searchGroupChannels(
    @CurrentActor() actor: Actor,
    @Body() { term }: SearchChannelsDto,
  ): Promise<ChannelDto[]> {
    return shown(await this.channels.groups(actor, term));
  }

  @Post('teams/:team_id/channels/search')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation({
    summary: 'Find open channels of a team by a part of their name',
    description: 'At most 100.',
    ok: [ChannelDto],
    errors: [404],
  })
  async searchChannels(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @Body() { term }: SearchChannelsDto,
  ): Promise<ChannelDto[]> {
    return shown(await this.channels.inTeam(actor, teamId, term, false));
  }

  @Post('teams/:team_id/channels/search_archived')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation({
    summary: 'Find archived channels of a team by a part of their name',
    description: 'At most 100: open ones and your own.',
    ok: [ChannelDto],
    errors: [404],
  })
  async searchArchivedChannels(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @Body() { term }: SearchChannelsDto,
  ): Promise<ChannelDto[]> {
    return shown(await this.channels.inTeam(actor, teamId, term, true));
  }

  @Get('teams/:team_id/channels/autocomplete')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation({
    summary: 'Complete the name of a channel',
    description: OPEN_AND_OWN,
    ok: [ChannelDto],
    errors: [404],
  })
  async autocompleteChannelsForTeam(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @QueryText('name', NAME) name = '',
  ): Promise<ChannelDto[]> {
    return shown(await this.channels.complete(actor, teamId, name));
  }

  @Get('teams/:team_id/channels/search_autocomplete')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation({
    summary: 'Complete the name of a channel for a search',
    description: OPEN_AND_OWN,
    ok: [ChannelDto],
    errors: [404],
  })
  async autocompleteChannelsForTeamForSearch(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @QueryText('name', NAME) name = '',
  ): Promise<ChannelDto[]> {
    return shown(await this.channels.complete(actor, teamId, name));
  }
}

function shown(channels: readonly Channel[]): ChannelDto[] {
  return channels.map((channel) => ChannelDto.from(channel));
}
