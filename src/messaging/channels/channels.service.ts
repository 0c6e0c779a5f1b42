import { Injectable } from '@nestjs/common';
import type { Page } from '../../platform/common/dto/params.js';
import { InvalidBodyParam, InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import { type Actor, requireUser } from '../permissions/actor.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { UserPermission } from '../users/users.policy.js';
import { VisibleUsers } from '../users/visible-users.js';
import { TeamRecords } from '../teams/team-records.js';
import { ChannelMembersRepository } from './channel-members.repository.js';
import type { Channel } from './channel.entity.js';
import {
  permanentChannelDeletionDisabled,
  channelNameNotFound,
  noChannelsFound,
  refusals,
} from './channels.errors.js';
import { ChannelsPolicy } from './channels.policy.js';
import { ChannelsSettings } from './channels.settings.js';
import { MemberTimezonesReadModel } from './member-timezones.read-model.js';
import { PinnedPostsReadModel } from './pinned-posts.read-model.js';
import { ChannelsRepository } from './channels.repository.js';
import { type ChannelChange, ChannelRecords } from './channel-records.js';
import { DirectChannelRecords } from './direct-channel-records.js';
import { ChannelSearchReadModel } from './searching/channel-search.read-model.js';
import {
  channelPatchOf,
  type ChannelPrivacyDto,
  channelUpdateOf,
  type CreateChannelDto,
  type PatchChannelDto,
  type UpdateChannelDto,
} from './dto/channel.dto.js';

/** Counts for one channel. */
export interface ChannelStats {
  readonly members: number;
  readonly guests: number;
  readonly pinnedPosts: number;
}

/** Channel use cases, with the checks in the contract's order (docs/contract/messaging.md#channel-calls). */
@Injectable()
export class ChannelsService {
  constructor(
    private readonly channels: ChannelRecords,
    private readonly direct: DirectChannelRecords,
    private readonly repository: ChannelsRepository,
    private readonly found: ChannelSearchReadModel,
    private readonly members: ChannelMembersRepository,
    private readonly memberTimezones: MemberTimezonesReadModel,
    private readonly pinnedPosts: PinnedPostsReadModel,
    private readonly policy: ChannelsPolicy,
    private readonly permissions: PermissionsService,
    private readonly visible: VisibleUsers,
    private readonly teams: TeamRecords,
    private readonly settings: ChannelsSettings,
  ) {}

  async create(actor: Actor, body: CreateChannelDto): Promise<Channel> {
    const { team_id: teamId, display_name: displayName, name, type, header, purpose } = body;
    if (!isId(teamId)) throw new InvalidBodyParam('team_id', 'it must be 26 letters and digits');
    if (displayName === '') throw new InvalidBodyParam('display_name');
    await this.policy.requireCreate(actor, teamId, type);
    if (type === 'D' || type === 'G') throw refusals.directThroughCreate();
    if (body.id) throw refusals.idGiven();
    const maxOwn = (await this.policy.canFillTeam(actor, teamId))
      ? undefined
      : this.settings.maxChannelsPerCreator;
    return this.channels.create(actor.userId, { teamId, displayName, name, type, header, purpose }, maxOwn);
  }

  /** The caller's own id alone means the direct channel with themselves. */
  async createDirect(actor: Actor, wanted: readonly string[]): Promise<Channel> {
    const ids = [...new Set(wanted)];
    if (ids.length === 1 && ids[0] === actor.userId) ids.push(actor.userId);
    const [first, second] = ids;
    if (ids.length !== 2 || first === undefined || second === undefined) {
      throw new InvalidBodyParam('user_ids', 'it must have two items');
    }
    if (!ids.every(isId)) throw new InvalidBodyParam('user_id', 'it must be 26 letters and digits');
    await this.policy.requireDirect(actor, ids);
    await this.visible.requireAll(actor, ids);
    const [creatorId, otherUserId] = second === actor.userId ? [second, first] : [first, second];
    return this.withCounters(await this.direct.getOrCreate(creatorId, otherUserId));
  }

  async createGroup(actor: Actor, wanted: readonly string[]): Promise<Channel> {
    if (!wanted.every(isId)) throw new InvalidBodyParam('user_id', 'it must be 26 letters and digits');
    await this.policy.requireGroup(actor);
    const userId = requireUser(actor);
    await this.visible.requireAll(actor, wanted);
    return this.withCounters(await this.direct.getOrCreateGroup(userId, [...wanted, userId]));
  }

  async get(actor: Actor, id: string): Promise<Channel> {
    const channel = await this.channels.getFresh(id);
    await this.policy.requireRead(actor, channel);
    return channel;
  }

  async getByName(actor: Actor, teamId: string, name: string, includeArchived: boolean): Promise<Channel> {
    const found = includeArchived ? await this.repository.findByName(teamId, name) : null;
    const channel = found ?? (await this.channels.findByName(teamId, name));
    if (!channel) throw channelNameNotFound();
    await this.policy.requireReadByName(actor, channel);
    return this.withCounters(channel);
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

  async stats(actor: Actor, id: string): Promise<ChannelStats> {
    await this.policy.requireRead(actor, await this.channels.get(id));
    return {
      members: await this.members.count(id),
      guests: await this.members.countGuests(id),
      pinnedPosts: await this.pinnedPosts.count(id),
    };
  }

  async timezones(actor: Actor, id: string): Promise<string[]> {
    await this.policy.requireRead(actor, await this.channels.get(id));
    return this.memberTimezones.list(id);
  }

  async listOpen(teamId: string, { offset, perPage }: Page): Promise<Channel[]> {
    await this.teams.get(teamId);
    return this.repository.listByType(teamId, 'O', offset, perPage);
  }

  async listPrivate(teamId: string, { offset, perPage }: Page): Promise<Channel[]> {
    await this.teams.get(teamId);
    return this.repository.listByType(teamId, 'P', offset, perPage);
  }

  async listArchived(actor: Actor, teamId: string, { offset, perPage }: Page): Promise<Channel[]> {
    await this.teams.get(teamId);
    const seesAll = await this.policy.canListAllArchived(actor);
    const viewer = { userId: actor.userId, openTeamIds: [teamId], readable: undefined };
    const filter = { teamIds: [teamId], types: ['O', 'P'], isArchived: true } as const;
    return this.found.list({ ...filter, ...(!seesAll && { viewer }) }, offset, perPage);
  }

  /** The open channels with these ids; skips unknown and non-open channels. */
  async listByIds(actor: Actor, teamId: string, ids: readonly string[]): Promise<Channel[]> {
    if (!ids.every(isId)) throw new InvalidBodyParam('channel_id', 'it must be 26 letters and digits');
    await this.policy.requireViewTeam(actor, teamId);
    await this.teams.get(teamId);
    const channels = await this.repository.listOpenByIds(teamId, ids);
    for (const channel of channels) await this.policy.requireRead(actor, channel);
    return channels;
  }

  /** A user's channels in a team, including direct and group ones. Throws `noChannelsFound`. */
  async listOfUserInTeam(
    actor: Actor,
    userId: string,
    teamId: string,
    includeArchived: boolean,
    since: string,
  ): Promise<Channel[]> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    await this.policy.requireViewTeam(actor, teamId);
    return this.listOwn(userId, { teamId, includeArchived, archivedSince: archivedSince(since) });
  }

  /** A user's channels in all teams. Throws `noChannelsFound`. */
  async listOfUser(
    actor: Actor,
    userId: string,
    includeArchived: boolean,
    since: string,
  ): Promise<Channel[]> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    return this.listOwn(userId, { includeArchived, archivedSince: archivedSince(since) });
  }

  async update(actor: Actor, id: string, body: UpdateChannelDto): Promise<Channel> {
    if (body.id !== id) throw new InvalidBodyParam('channel_id', 'the id must be that of the path');
    const channel = await this.channels.get(id);
    await this.policy.requireProperties(actor, channel);
    if (body.type && body.type !== channel.type) throw refusals.typeChange();
    return this.change(channel, channelUpdateOf(body));
  }

  async patch(actor: Actor, id: string, body: PatchChannelDto): Promise<Channel> {
    const change = channelPatchOf(body);
    const channel = await this.channels.get(id);
    if (Object.keys(change).length === 0) throw refusals.nothingToChange();
    await this.policy.requireProperties(actor, channel);
    return this.change(channel, change);
  }

  async setPrivacy(actor: Actor, id: string, { privacy }: ChannelPrivacyDto): Promise<Channel> {
    if (privacy !== 'O' && privacy !== 'P')
      throw new InvalidBodyParam('privacy', 'it must be O (open) or P (private)');
    await this.channels.get(id);
    await this.policy.requireConvert(actor, id, privacy);
    return this.channels.convert(actor.userId, id, privacy);
  }

  async archive(actor: Actor, id: string, isPermanent: boolean): Promise<void> {
    const channel = await this.channels.get(id);
    if (channel.teamId === '') throw refusals.archiveDirect();
    await this.policy.requireArchive(actor, channel);
    if (isPermanent) throw permanentChannelDeletionDisabled();
    await this.channels.archive(actor.userId, id);
  }

  async restore(actor: Actor, id: string): Promise<Channel> {
    await this.policy.requireRestore(actor, await this.channels.get(id));
    return this.channels.restore(actor.userId, id);
  }

  private async change(channel: Channel, change: ChannelChange): Promise<Channel> {
    if (channel.teamId === '' && changesMoreThanHeader(channel, change)) throw refusals.directFields();
    return this.channels.update(channel.id, change);
  }

  private async listOwn(
    userId: string,
    options: Parameters<ChannelsRepository['listOfUser']>[1],
  ): Promise<Channel[]> {
    const channels = await this.repository.listOfUser(userId, options);
    if (channels.length === 0) throw noChannelsFound();
    return channels;
  }

  /** Rereads the channel, because cached counters are stale. */
  private withCounters(channel: Channel): Promise<Channel> {
    return this.channels.getFresh(channel.id);
  }
}

function changesMoreThanHeader(channel: Channel, { name, displayName, purpose }: ChannelChange): boolean {
  return (
    (name ?? channel.name) !== channel.name ||
    (displayName ?? channel.displayName) !== channel.displayName ||
    (purpose ?? channel.purpose) !== channel.purpose
  );
}

/** Parses `last_delete_at`: 0 unless it is a number. Throws InvalidUrlParam if it is negative. */
function archivedSince(text: string): number {
  const since = /^-?\d{1,15}$/.test(text) ? Number(text) : 0;
  if (since < 0) throw new InvalidUrlParam('last_delete_at', 'it must not be negative');
  return since;
}
