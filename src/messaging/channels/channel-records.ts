import { Injectable } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../platform/common/clock.js';
import { type DomainEvent, EventBus } from '../../platform/events/event-bus.js';
import { newId } from '../../platform/common/ids.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { teamIsArchived } from '../teams/teams.errors.js';
import { TeamRecords } from '../teams/team-records.js';
import { UserRecords } from '../users/user-records.js';
import { ChannelCache } from './channel-cache.js';
import { ChannelMemberRecords } from './channel-member-records.js';
import type { Channel } from './channel.entity.js';
import { requireValidChannel, requireValidHeader, DEFAULT_CHANNEL } from './channel.rules.js';
import {
  archivedChannelRefused,
  ChannelNameTaken,
  channelNotFound,
  refusals,
  TooManyChannels,
  tooManyOwnChannels,
} from './channels.errors.js';
import { type ChannelName, ChannelsRepository } from './channels.repository.js';
import { DirectChannelRecords } from './direct-channel-records.js';
import {
  ChannelArchived,
  ChannelConverted,
  ChannelCreated,
  ChannelRestored,
  ChannelSharingChanged,
  ChannelUpdated,
} from './channels.events.js';

/** The maximum number of channels in a team, not counting archived ones. */
const MAX_CHANNELS_PER_TEAM = 2000;

/** The channels that every new team gets and that every new member joins. */
export const DEFAULT_CHANNELS = [
  { name: DEFAULT_CHANNEL, displayName: 'Town Square' },
  { name: 'off-topic', displayName: 'Off-Topic' },
] as const;

/** The fields of a new open or private channel; omitted fields are empty. */
export interface NewChannel {
  /** For a channel that already exists on another server. */
  readonly id?: string;
  readonly teamId: string;
  readonly type: string;
  readonly name: string;
  readonly displayName: string;
  readonly header?: string;
  readonly purpose?: string;
}

/** The fields of a channel that can change; omitted fields stay unchanged. */
export type ChannelChange = Partial<Pick<Channel, 'name' | 'displayName' | 'header' | 'purpose'>>;

/** Reads and writes channels, and publishes changes. Does not check permissions. */
@Injectable()
export class ChannelRecords {
  constructor(
    private readonly repository: ChannelsRepository,
    private readonly cache: ChannelCache,
    private readonly memberships: ChannelMemberRecords,
    private readonly direct: DirectChannelRecords,
    private readonly teams: TeamRecords,
    private readonly users: UserRecords,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** Cached, so the counters are stale; includes archived channels. */
  find(id: string): Promise<Channel | null> {
    return this.cache.find(id);
  }

  /** Like find; throws `channelNotFound`. */
  async get(id: string): Promise<Channel> {
    const channel = await this.cache.find(id);
    if (!channel) throw channelNotFound();
    return channel;
  }

  /** Whether a channel or its team is archived, so that nothing can be posted there. */
  async isArchived({ deleteAt, teamId }: Channel): Promise<boolean> {
    return deleteAt > 0 || (teamId !== '' && (await this.teams.isArchived(teamId)));
  }

  /** Not cached, so the counters are up to date. Throws `channelNotFound`. */
  async getFresh(id: string): Promise<Channel> {
    const channel = await this.repository.findById(id);
    if (!channel) throw channelNotFound();
    return channel;
  }

  /** Cached; omits archived channels. Direct and group channels are found with any team id. */
  findByName(teamId: string, name: string): Promise<Channel | null> {
    return this.cache.findByName(teamId, name);
  }

  /** The open and private channels of a team, without archived ones. Cached. */
  listNames(teamId: string): Promise<readonly ChannelName[]> {
    return this.cache.listNames(teamId);
  }

  /** The ids of a channel's members. Cached. */
  memberIds(channelId: string): Promise<readonly string[]> {
    return this.cache.memberIds(channelId);
  }

  /** A user's channels in a team, including direct and group channels, latest post first. */
  listByActivity(
    userId: string,
    teamId: string,
    includeArchived: boolean,
    limit: number,
  ): Promise<Pick<Channel, 'id' | 'name'>[]> {
    return this.repository.listByActivity(userId, teamId, includeArchived, limit);
  }

  /** The direct channel of two users, created for the owner's webhook if needed. Throws as `getOrCreate`. */
  getOrCreateDirect(ownerId: string, otherUserId: string): Promise<Channel> {
    return this.direct.getOrCreate(ownerId, otherUserId, { byWebhook: true });
  }

  /**
   * Creates an open or private channel. The creator becomes its administrator; without one (`''`) the channel has no
   * members. `maxOwn` limits the creator's channels in the team. Throws `teamNotFound`, `teamIsArchived`,
   * ValidationFailed, TooManyChannels, `tooManyOwnChannels`, ChannelNameTaken.
   */
  async create(creatorId: string, input: NewChannel, maxOwn = Infinity): Promise<Channel> {
    const creator = creatorId === '' ? null : await this.users.get(creatorId);
    if ((await this.teams.get(input.teamId)).deleteAt > 0) throw teamIsArchived();
    const channel = this.newChannel(creatorId, input);
    requireValidChannel(channel);
    this.audit.concerns({ id: channel.id });
    await this.unitOfWork.run(async () => {
      await this.requireRoom(input.teamId, creatorId, maxOwn);
      await this.insert([channel]);
      if (creator) await this.memberships.add(channel, creator, creatorId, { isAdmin: true });
    });
    return channel;
  }

  /** Creates the default channels of a new team. */
  async createDefaults(teamId: string): Promise<void> {
    await this.insert(
      DEFAULT_CHANNELS.map((channel) => this.newChannel('', { teamId, type: 'O', ...channel })),
    );
  }

  /** Throws `channelNotFound`, `archivedChannelRefused`, ChannelNameTaken, or ValidationFailed. */
  async update(id: string, change: ChannelChange): Promise<Channel> {
    return this.unitOfWork.run(async () => {
      const channel = await this.getForUpdate(id);
      const changed = { ...channel, ...change, updateAt: this.clock.now() };
      if (channel.deleteAt > 0) throw archivedChannelRefused();
      if (channel.name === DEFAULT_CHANNEL && changed.name !== DEFAULT_CHANNEL)
        throw refusals.defaultRename();
      if (channel.teamId === '') requireValidHeader(changed.header);
      else requireValidChannel(changed);
      return this.save(channel, changed, new ChannelUpdated(id));
    });
  }

  /** Makes a channel open or private; does nothing if it is already. */
  async convert(actorId: string, id: string, type: 'O' | 'P'): Promise<Channel> {
    return this.unitOfWork.run(async () => {
      const channel = await this.getForUpdate(id);
      if (channel.teamId === '') throw refusals.typeChange();
      if (channel.name === DEFAULT_CHANNEL && type === 'P') throw refusals.defaultPrivacy();
      if (channel.deleteAt > 0) throw archivedChannelRefused();
      if (channel.type === type) return channel;
      const changed = { ...channel, type, updateAt: this.clock.now() };
      return this.save(channel, changed, new ChannelConverted(id, channel.teamId, actorId, type));
    });
  }

  /** Archives an open or private channel. */
  async archive(actorId: string, id: string): Promise<Channel> {
    return this.unitOfWork.run(async () => {
      const channel = await this.getForUpdate(id);
      if (channel.teamId === '') throw refusals.archiveDirect();
      if (channel.deleteAt > 0) throw refusals.archivedAlready();
      if (channel.name === DEFAULT_CHANNEL) throw refusals.archiveDefault();
      const deleteAt = this.clock.now();
      const changed = { ...channel, deleteAt, updateAt: deleteAt };
      return this.save(channel, changed, new ChannelArchived(id, channel.teamId, actorId, deleteAt));
    });
  }

  /** Restores an archived channel. */
  async restore(actorId: string, id: string): Promise<Channel> {
    return this.unitOfWork.run(async () => {
      const channel = await this.getForUpdate(id);
      if (channel.deleteAt === 0) throw refusals.notArchived();
      const changed = { ...channel, deleteAt: 0, updateAt: this.clock.now() };
      return this.save(channel, changed, new ChannelRestored(id, channel.teamId, actorId));
    });
  }

  /** Stores whether the channel is shared with other servers. Call it inside a unit of work. */
  async setShared(id: string, shared: boolean): Promise<void> {
    const channel = await this.getForUpdate(id);
    await this.repository.update(id, { shared });
    this.cache.forget(channel, channel.name);
    await this.events.publish(new ChannelSharingChanged(id));
  }

  /** Locks the team, so that concurrent calls cannot exceed a limit. */
  private async requireRoom(teamId: string, creatorId: string, maxOwn: number): Promise<void> {
    await this.teams.lock(teamId);
    if ((await this.repository.countInTeam(teamId)) >= MAX_CHANNELS_PER_TEAM)
      throw new TooManyChannels(MAX_CHANNELS_PER_TEAM);
    if (maxOwn < MAX_CHANNELS_PER_TEAM && (await this.repository.countMadeBy(creatorId, teamId)) >= maxOwn)
      throw tooManyOwnChannels(maxOwn);
  }

  private async insert(channels: readonly Channel[]): Promise<void> {
    try {
      await this.repository.insert(channels);
    } catch (error) {
      throw isDuplicateKey(error) ? new ChannelNameTaken() : error;
    }
    for (const channel of channels) {
      this.cache.forget(channel, channel.name);
      await this.events.publish(new ChannelCreated(channel.id, channel.teamId, channel.creatorId));
    }
  }

  private async save(
    before: Channel,
    { displayName, name, header, purpose, type, updateAt, deleteAt }: Channel,
    event: DomainEvent,
  ): Promise<Channel> {
    try {
      await this.repository.update(before.id, {
        displayName,
        name,
        header,
        purpose,
        type,
        updateAt,
        deleteAt,
      });
    } catch (error) {
      throw isDuplicateKey(error) ? new ChannelNameTaken() : error;
    }
    this.cache.forget(before, before.name, name);
    await this.events.publish(event);
    return { ...before, displayName, name, header, purpose, type, updateAt, deleteAt };
  }

  /** The latest row, locked until the open unit of work ends. Throws `channelNotFound`. */
  async getForUpdate(id: string): Promise<Channel> {
    const channel = await this.repository.findByIdForUpdate(id);
    if (!channel) throw channelNotFound();
    return channel;
  }

  private newChannel(creatorId: string, input: NewChannel): Channel {
    const now = this.clock.now();
    return {
      id: input.id ?? newId(),
      createAt: now,
      updateAt: now,
      deleteAt: 0,
      teamId: input.teamId,
      type: input.type,
      displayName: input.displayName,
      name: input.name,
      header: input.header ?? '',
      purpose: input.purpose ?? '',
      creatorId,
      lastPostAt: 0,
      totalMsgCount: 0,
      lastRootPostAt: 0,
      totalMsgCountRoot: 0,
      lastSeq: 0,
      shared: false,
    };
  }
}
