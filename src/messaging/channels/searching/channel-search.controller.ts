import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../../platform/common/dto/operation.js';
import { type Page, QueryFlag, QueryPage, QueryText } from '../../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission, SignedIn } from '../../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../permissions/actor.js';
import { CommonPermission } from '../../permissions/common.permissions.js';
import { TeamIdParam } from '../../teams/dto/team.params.js';
import type { Channel } from '../channel.entity.js';
import { ChannelDto } from '../dto/channel.dto.js';
import {
  type ChannelsWithCountDto,
  type ChannelWithTeamDto,
  SearchAllChannelsDto,
  SearchChannelsDto,
} from './channel-search.dto.js';
import { DOCS } from './channel-search.docs.js';
import { ChannelSearchService } from './channel-search.service.js';

const NAME = { description: 'Part of the name.', example: 'rel' };

/** Channels by a part of their names, for those who choose one, and all of them for administrators. */
@ApiTags('channels')
@Controller()
export class ChannelSearchController {
  constructor(private readonly search: ChannelSearchService) {}

  @Get('channels')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation(DOCS.getAllChannels)
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
  @Operation(DOCS.searchAllChannels)
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
  @Operation(DOCS.searchGroupChannels)
  async searchGroupChannels(
    @CurrentActor() actor: Actor,
    @Body() { term }: SearchChannelsDto,
  ): Promise<ChannelDto[]> {
    return shown(await this.search.groups(actor, term));
  }

  @Post('teams/:team_id/channels/search')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation(DOCS.searchChannels)
  async searchChannels(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @Body() { term }: SearchChannelsDto,
  ): Promise<ChannelDto[]> {
    return shown(await this.search.inTeam(actor, teamId, term, false));
  }

  @Post('teams/:team_id/channels/search_archived')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation(DOCS.searchArchivedChannels)
  async searchArchivedChannels(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @Body() { term }: SearchChannelsDto,
  ): Promise<ChannelDto[]> {
    return shown(await this.search.inTeam(actor, teamId, term, true));
  }

  @Get('teams/:team_id/channels/autocomplete')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation(DOCS.autocompleteChannelsForTeam)
  async autocompleteChannelsForTeam(
    @CurrentActor() actor: Actor,
    @TeamIdParam() teamId: string,
    @QueryText('name', NAME) name = '',
  ): Promise<ChannelDto[]> {
    return shown(await this.search.complete(actor, teamId, name));
  }

  @Get('teams/:team_id/channels/search_autocomplete')
  @CheckedByPolicy(CommonPermission.ViewTeam)
  @Operation(DOCS.autocompleteChannelsForTeamForSearch)
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
