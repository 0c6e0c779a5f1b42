import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { oneOf, Operation } from '../../../platform/common/dto/operation.js';
import { type Page, QueryFlag, QueryPage, QueryText } from '../../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission, SignedIn } from '../../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../permissions/actor.js';
import { CommonPermission } from '../../permissions/common.permissions.js';
import { TeamIdParam } from '../../teams/dto/team.params.js';
import type { Channel } from '../channel.entity.js';
import { ChannelDto } from '../dto/channel.dto.js';
import {
  ChannelsWithCountDto,
  ChannelWithTeamDto,
  SearchAllChannelsDto,
  SearchChannelsDto,
} from './channel-search.dto.js';
import { ChannelSearchService } from './channel-search.service.js';

const LIST_OR_PAGE = oneOf([[ChannelWithTeamDto], ChannelsWithCountDto]);
const OPEN_AND_OWN = 'The first 50 by display name: open ones, and private ones that you are in.';
const NAME = { description: 'Part of the name.', example: 'rel' };

/** Channels by a part of their names, for those who choose one, and all of them for administrators. */
@ApiTags('channels')
@Controller()
export class ChannelSearchController {
  constructor(private readonly search: ChannelSearchService) {}

  @Get('channels')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({
    summary: 'List the channels of all teams by display name',
    description: 'Open and private ones; archived ones only with `include_deleted`.',
    ok: LIST_OR_PAGE,
  })
  getAllChannels(
    @QueryPage() page: Page,
    @QueryFlag('include_deleted', 'Archived channels too.') includeArchived: boolean,
    @QueryFlag('exclude_default_channels', 'Without `town-square`.') withoutDefault: boolean,
    @QueryFlag('include_total_count', 'Answer an object with the total.') withTotal: boolean,
  ): Promise<ChannelWithTeamDto[] | ChannelsWithCountDto> {
    return this.search.all(page, { includeArchived, withoutDefault, withTotal });
  }

  @Post('channels/search')
  @CheckedByPolicy(CommonPermission.ManageSystem, '`manage_system`; none with `system_console=false`')
  @Operation({
    summary: 'Find channels in all teams by a part of their name',
    description:
      'At most 100; with both `page` and `per_page` the answer is an object with the total. `system_console=false` searches your own teams.',
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
    return this.search.search(actor, body, console !== 'false');
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
    return shown(await this.search.groups(actor, term));
  }

  @Post('teams/:team_id/channels/search')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation({
    summary: 'Find open channels of a team by a part of their name',
    description: 'At most 100. Guests find the channels that they are in.',
    ok: [ChannelDto],
    errors: [404],
  })
  async searchChannels(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @Body() { term }: SearchChannelsDto,
  ): Promise<ChannelDto[]> {
    return shown(await this.search.inTeam(actor, teamId, term, false));
  }

  @Post('teams/:team_id/channels/search_archived')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation({
    summary: 'Find archived channels of a team by a part of their name',
    description: 'At most 100: open ones and those you are in.',
    ok: [ChannelDto],
    errors: [404],
  })
  async searchArchivedChannels(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @Body() { term }: SearchChannelsDto,
  ): Promise<ChannelDto[]> {
    return shown(await this.search.inTeam(actor, teamId, term, true));
  }

  @Get('teams/:team_id/channels/autocomplete')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation({
    summary: 'Say which channels could be meant',
    description: OPEN_AND_OWN,
    ok: [ChannelDto],
    errors: [404],
  })
  async autocompleteChannelsForTeam(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @QueryText('name', NAME) name = '',
  ): Promise<ChannelDto[]> {
    return shown(await this.search.complete(actor, teamId, name));
  }

  @Get('teams/:team_id/channels/search_autocomplete')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation({
    summary: 'Say in which channels one could search',
    description: OPEN_AND_OWN,
    ok: [ChannelDto],
    errors: [404],
  })
  async autocompleteChannelsForTeamForSearch(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @QueryText('name', NAME) name = '',
  ): Promise<ChannelDto[]> {
    return shown(await this.search.complete(actor, teamId, name));
  }
}

function shown(channels: readonly Channel[]): ChannelDto[] {
  return channels.map((channel) => ChannelDto.from(channel));
}
