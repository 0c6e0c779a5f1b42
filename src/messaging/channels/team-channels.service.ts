import { Injectable } from '@nestjs/common';
import { MAX_PER_PAGE, type Page } from '../../platform/common/dto/params.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import { runeLength } from '../../platform/common/utf8.js';
import type { Actor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { ReadableChannelsReadModel } from '../permissions/readable-channels.read-model.js';
import { TeamsService } from '../teams/teams.service.js';
import type { Channel } from './channel.entity.js';
import { DEFAULT_CHANNEL } from './channel.rules.js';
import { channelNameNotFound } from './channels.errors.js';
import { ChannelPermission, ChannelsPolicy } from './channels.policy.js';
import { ChannelsRepository } from './channels.repository.js';
import { type ChannelFilter, ChannelsReadModel, type ChannelViewer } from './channels.read-model.js';
import { ChannelsWithCountDto, ChannelWithTeamDto, type SearchAllChannelsDto } from './dto/channel.dto.js';

/** The maximum number of channels in an unpaged search. */
export const MAX_FOUND = 100;
/** The maximum number of autocomplete suggestions. */
export const MAX_COMPLETED = 50;
const MAX_TEAMS = 1_000;
const MAX_PAGE = 2 ** 31;
const MAX_TERM_LENGTH = 256;

/**
 * Lists the channels of teams, and finds them by a part of their names. Callers find open channels of teams whose channels they may list
 * and their own channels; system administrators find all (docs/contract/messaging.md#finding-channels).
 */
@Injectable()
export class TeamChannelsService {
  constructor(
    private readonly repository: ChannelsRepository,
    private readonly found: ChannelsReadModel,
    private readonly policy: ChannelsPolicy,
    private readonly permissions: PermissionsService,
    private readonly readable: ReadableChannelsReadModel,
    private readonly teams: TeamsService,
  ) {}

  async getByName(actor: Actor, teamId: string, name: string, includeArchived: boolean): Promise<Channel> {
    const found = includeArchived ? await this.repository.findAnyByName(teamId, name) : null;
    const channel = found ?? (await this.repository.findByName(teamId, name));
    if (!channel) throw channelNameNotFound();
    await this.policy.requireReadByName(actor, channel);
    return this.repository.getFresh(channel.id); // cached counters are stale
  }

  async getByTeamName(
    actor: Actor,
    teamName: string,
    name: string,
    includeArchived: boolean,
  ): Promise<Channel> {
    const team = await this.teams.getByName(teamName);
    return this.getByName(actor, team.id, name, includeArchived);
  }

  async listByType(teamId: string, type: 'O' | 'P', { offset, perPage }: Page): Promise<Channel[]> {
    await this.teams.get(teamId);
    return this.repository.listByType(teamId, type, offset, perPage);
  }

  async listArchived(actor: Actor, teamId: string, { offset, perPage }: Page): Promise<Channel[]> {
    await this.teams.get(teamId);
    const seesAll = await this.permissions.hasOnSystem(actor, CommonPermission.ManageSystem);
    const viewer = { userId: actor.userId, openTeamIds: [teamId], readable: undefined };
    const filter = { teamIds: [teamId], types: ['O', 'P'], isArchived: true } as const;
    return this.found.list({ ...filter, ...(!seesAll && { viewer }) }, offset, perPage);
  }

  /** The open channels with these ids; skips unknown and non-open channels. */
  async listByIds(actor: Actor, teamId: string, ids: readonly string[]): Promise<Channel[]> {
    if (!ids.every(isId)) throw new InvalidBodyParam('channel_id', 'it must be 26 letters and digits');
    await this.permissions.require(actor, CommonPermission.ViewTeam, { teamId });
    await this.teams.get(teamId);
    const channels = await this.repository.listOpenByIds(teamId, ids);
    for (const channel of channels) await this.policy.requireRead(actor, channel);
    return channels;
  }

  /** Open channels of the team; callers who may not list them get those they are in. */
  async inTeam(actor: Actor, teamId: string, term: string, isArchived: boolean): Promise<Channel[]> {
    const viewer = await this.viewerInTeam(actor, teamId);
    const types = isArchived || viewer.openTeamIds.length === 0 ? (['O', 'P'] as const) : (['O'] as const);
    return this.found.list({ viewer, teamIds: [teamId], types, isArchived, term: text(term) }, 0, MAX_FOUND);
  }

  /** Open channels of the team and the caller's own. */
  async complete(actor: Actor, teamId: string, name: string): Promise<Channel[]> {
    const viewer = await this.viewerInTeam(actor, teamId);
    const filter = { viewer, teamIds: [teamId], types: ['O', 'P'], isArchived: false } as const;
    return this.found.list({ ...filter, term: name.slice(0, MAX_TERM_LENGTH) }, 0, MAX_COMPLETED);
  }

  /** The caller's group channels. */
  async groups(actor: Actor, term: string): Promise<Channel[]> {
    const readable = await this.readable.openOrReadable(actor, undefined, 'c.id');
    const viewer = { userId: actor.userId, openTeamIds: [], readable };
    return this.found.list({ viewer, types: ['G'], isArchived: false, term: text(term) }, 0, MAX_FOUND);
  }

  /** The channels of all teams, for system administrators. */
  async all(
    page: Page,
    { includeArchived = false, withoutDefault = false, withTotal = false },
  ): Promise<ChannelWithTeamDto[] | ChannelsWithCountDto> {
    const filter: ChannelFilter = {
      types: ['O', 'P'],
      isArchived: includeArchived ? undefined : false,
      ...(withoutDefault && { except: [DEFAULT_CHANNEL] }),
    };
    const channels = await this.withTeams(await this.found.list(filter, page.offset, page.perPage));
    return withTotal ? { channels, total_count: await this.found.count(filter) } : channels;
  }

  /** Searches all teams; `system_console=false` searches the caller's teams and needs no permission. */
  async search(
    actor: Actor,
    body: SearchAllChannelsDto,
    isForConsole: boolean,
  ): Promise<ChannelWithTeamDto[] | ChannelsWithCountDto> {
    const { page, per_page: perPage, team_ids: teamIds } = body;
    if (teamIds.length > MAX_TEAMS || !teamIds.every(isId))
      throw new InvalidBodyParam('team_ids', `it must have at most ${MAX_TEAMS} ids`);
    if (isForConsole) await this.permissions.require(actor, CommonPermission.ManageSystem, 'system');
    const filter: ChannelFilter = {
      viewer: isForConsole ? undefined : await this.viewerOf(actor),
      teamIds,
      types: typesOf(body),
      isArchived: body.deleted ? true : body.include_deleted ? undefined : false,
      term: text(body.term),
      ...(body.exclude_default_channels && { except: [DEFAULT_CHANNEL] }),
    };
    if (page === undefined || perPage === undefined)
      return this.withTeams(await this.found.list(filter, 0, MAX_FOUND));
    if (page < 0 || page > MAX_PAGE) throw new InvalidBodyParam('page', `it must be 0 to ${MAX_PAGE}`);
    if (perPage < 0) throw new InvalidBodyParam('per_page', 'it must not be negative');
    const limit = Math.min(perPage, MAX_PER_PAGE);
    const channels = await this.withTeams(await this.found.list(filter, page * limit, limit));
    return { channels, total_count: await this.found.count(filter) };
  }

  private async viewerInTeam(actor: Actor, teamId: string): Promise<ChannelViewer> {
    await this.permissions.require(actor, CommonPermission.ViewTeam, { teamId });
    await this.teams.get(teamId);
    const readable = await this.readable.openOrReadable(actor, teamId, 'c.id');
    return { userId: actor.userId, openTeamIds: await this.listable(actor, [teamId]), readable };
  }

  private async viewerOf(actor: Actor): Promise<ChannelViewer> {
    const teams = await this.teams.listOfUser(actor.userId);
    const ids = teams.map(({ id }) => id);
    const readable = await this.readable.openOrReadable(actor, undefined, 'c.id');
    return { userId: actor.userId, openTeamIds: await this.listable(actor, ids), readable };
  }

  private async listable(actor: Actor, teamIds: readonly string[]): Promise<string[]> {
    const listable: string[] = [];
    for (const teamId of teamIds)
      if (await this.permissions.hasOnTeam(actor, ChannelPermission.ListTeamChannels, teamId))
        listable.push(teamId);
    return listable;
  }

  private withTeams(channels: readonly Channel[]): Promise<ChannelWithTeamDto[]> {
    return Promise.all(
      channels.map(async (channel) => ChannelWithTeamDto.of(channel, await this.teams.get(channel.teamId))),
    );
  }
}

function typesOf({ public: isPublic, private: isPrivate }: SearchAllChannelsDto): ('O' | 'P')[] {
  if (isPublic === isPrivate) return ['O', 'P'];
  return isPublic ? ['O'] : ['P'];
}

/** Throws InvalidBodyParam for a term that is too long. */
function text(term: string): string {
  if (runeLength(term) > MAX_TERM_LENGTH)
    throw new InvalidBodyParam('term', `it must have at most ${MAX_TERM_LENGTH} characters`);
  return term.trim().replace(/^~/, '');
}
