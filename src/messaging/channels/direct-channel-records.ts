import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { type DomainEvent, EventBus } from '../../platform/events/event-bus.js';
import { newId } from '../../platform/common/ids.js';
import { insertOrFind } from '../../platform/database/insert-or-find.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { User } from '../users/user.entity.js';
import { UserRecords } from '../users/user-records.js';
import { ChannelCache } from './channel-cache.js';
import { ChannelMemberRecords } from './channel-member-records.js';
import type { Channel } from './channel.entity.js';
import { directName, groupDisplayName, groupName } from './channel.rules.js';
import { groupSizeRefused, tooManyGroups, unknownDirectUser, unknownGroupUser } from './channels.errors.js';
import { ChannelsSettings } from './channels.settings.js';
import { ChannelsRepository } from './channels.repository.js';
import { DirectChannelCreated, GroupChannelCreated } from './channels.events.js';

const MIN_GROUP = 3;
const MAX_GROUP = 8;

/** Finds and creates direct and group channels. Concurrent calls never create two for a set of users. */
@Injectable()
export class DirectChannelRecords {
  constructor(
    private readonly repository: ChannelsRepository,
    private readonly cache: ChannelCache,
    private readonly memberships: ChannelMemberRecords,
    private readonly users: UserRecords,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly settings: ChannelsSettings,
  ) {}

  /**
   * Both ids may be the same. `byWebhook`: the user's webhook starts the channel, so it has no creator.
   * Throws `unknownDirectUser`, `tooManyChannelsOfUser`, `tooManyBegunByOthers`.
   */
  async getOrCreate(userId: string, otherUserId: string, { byWebhook = false } = {}): Promise<Channel> {
    const name = directName(userId, otherUserId);
    const known = await this.cache.findByName('', name);
    if (known) return known;
    const users = await this.usersOf([userId, otherUserId]);
    if (!users) throw unknownDirectUser();
    const channel = this.newChannel('D', name, '', byWebhook ? '' : userId);
    return this.findOrInsert(channel, users, new DirectChannelCreated(channel.id, userId, otherUserId));
  }

  /** Throws `groupSizeRefused`, `unknownGroupUser`, `tooManyGroups`, `tooManyChannelsOfUser`, `tooManyBegunByOthers`. */
  async getOrCreateGroup(creatorId: string, userIds: readonly string[]): Promise<Channel> {
    const ids = [...new Set(userIds)].sort();
    if (ids.length < MIN_GROUP || ids.length > MAX_GROUP) throw groupSizeRefused(MIN_GROUP, MAX_GROUP);
    const known = await this.cache.findByName('', groupName(ids));
    if (known) return known;
    const users = await this.usersOf(ids);
    if (!users) throw unknownGroupUser();
    const channel = this.newChannel(
      'G',
      groupName(ids),
      groupDisplayName(users.map((user) => user.username)),
      creatorId,
    );
    const teammateIds = ids.filter((id) => id !== creatorId);
    return this.findOrInsert(channel, users, new GroupChannelCreated(channel.id, creatorId, teammateIds));
  }

  /** The users with these ids, without duplicates, or null if one does not exist. */
  private async usersOf(ids: readonly string[]): Promise<User[] | null> {
    const users: User[] = [];
    for (const id of new Set(ids)) {
      const user = await this.users.find(id);
      if (!user) return null;
      users.push(user);
    }
    return users;
  }

  private findOrInsert(channel: Channel, users: readonly User[], event: DomainEvent): Promise<Channel> {
    return this.unitOfWork.run(async () => {
      const existing =
        (await this.repository.findByName('', channel.name)) ??
        (await insertOrFind(
          () => this.repository.insert([channel]),
          () => this.repository.findLatestByName('', channel.name),
        ));
      if (existing) return existing;
      if (channel.type === 'G') await this.requireFewGroups(channel.creatorId);
      this.cache.forget(channel, channel.name);
      await this.memberships.insertInitial(channel, users);
      await this.events.publish(event);
      return channel;
    });
  }

  /** The new channel does not count yet, because it has no members. */
  private async requireFewGroups(creatorId: string): Promise<void> {
    const { maxGroupsPerUser } = this.settings;
    await this.users.getForUpdate(creatorId);
    if ((await this.repository.countGroupsBegunBy(creatorId)) >= maxGroupsPerUser)
      throw tooManyGroups(maxGroupsPerUser);
  }

  private newChannel(type: 'D' | 'G', name: string, displayName: string, creatorId: string): Channel {
    const now = this.clock.now();
    return {
      id: newId(),
      createAt: now,
      updateAt: now,
      deleteAt: 0,
      teamId: '',
      type,
      displayName,
      name,
      header: '',
      purpose: '',
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
