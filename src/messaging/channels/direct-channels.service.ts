import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import { insertOrFind } from '../../platform/database/insert-or-find.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type DomainEvent, EventBus } from '../../platform/events/event-bus.js';
import { type Actor, requireUser } from '../permissions/actor.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { UsersService } from '../users/users.service.js';
import type { User } from '../users/user.entity.js';
import { ChannelMembersRepository } from './channel-members.repository.js';
import { ChannelMembersService } from './channel-members.service.js';
import type { Channel } from './channel.entity.js';
import { directName, groupDisplayName, groupName, newChannel, newMember } from './channel.rules.js';
import * as errors from './channels.errors.js';
import { DirectChannelCreated, GroupChannelCreated } from './channels.events.js';
import { ChannelPermission, ChannelsPolicy } from './channels.policy.js';
import { ChannelsRepository } from './channels.repository.js';
import { ChannelsSettings } from './channels.settings.js';

const MIN_GROUP = 3;
const MAX_GROUP = 8;
/** The shares of a user's limit that others may use: users cannot leave direct and group channels. */
const SHARE_FOR_OTHERS = 1 / 2;
const SHARE_FOR_GROUPS = 1 / 4;
const SHARE_FOR_WEBHOOKS = 1 / 4;

/** Finds and creates direct and group channels. Concurrent calls never create two for a set of users. */
@Injectable()
export class DirectChannelsService {
  constructor(
    private readonly repository: ChannelsRepository,
    private readonly members: ChannelMembersRepository,
    private readonly memberships: ChannelMembersService,
    private readonly policy: ChannelsPolicy,
    private readonly permissions: PermissionsService,
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly settings: ChannelsSettings,
  ) {}

  /** The caller's own id alone means the direct channel with themselves. */
  async createDirect(actor: Actor, wanted: readonly string[]): Promise<Channel> {
    const ids = [...new Set(wanted)];
    if (ids.length === 1 && ids[0] === actor.userId) ids.push(actor.userId);
    const [first, second] = ids;
    if (ids.length !== 2 || first === undefined || second === undefined)
      throw new InvalidBodyParam('user_ids', 'it must have two items');
    requireIds(ids);
    await this.policy.requireDirect(actor, ids);
    const [creatorId, otherUserId] = second === actor.userId ? [second, first] : [first, second];
    return this.withCounters(await this.getOrCreate(creatorId, otherUserId));
  }

  async createGroup(actor: Actor, wanted: readonly string[]): Promise<Channel> {
    requireIds(wanted);
    await this.permissions.require(actor, ChannelPermission.CreateGroupChannel, 'system');
    const userId = requireUser(actor);
    return this.withCounters(await this.getOrCreateGroup(userId, [...wanted, userId]));
  }

  /**
   * Both ids may be the same. `byWebhook`: the user's webhook starts the channel, so it has no creator.
   * Throws `refusals.unknownDirectUser`, `tooManyChannelsOfUser`, `tooManyStartedByOthers`.
   */
  async getOrCreate(userId: string, otherUserId: string, { byWebhook = false } = {}): Promise<Channel> {
    const name = directName(userId, otherUserId);
    const known = await this.repository.findByName('', name);
    if (known) return known;
    const users = await this.usersOf([userId, otherUserId]);
    if (!users) throw errors.refusals.unknownDirectUser();
    const creatorId = byWebhook ? '' : userId;
    const fields = { teamId: '', type: 'D', name, displayName: '', creatorId };
    const channel = newChannel(this.clock.now(), fields);
    return this.findOrInsert(channel, users, new DirectChannelCreated(channel.id, userId, otherUserId));
  }

  /** Throws `groupSizeRefused`, `refusals.unknownGroupUser`, `tooManyGroups`, `tooManyChannelsOfUser`, `tooManyStartedByOthers`. */
  private async getOrCreateGroup(creatorId: string, userIds: readonly string[]): Promise<Channel> {
    const ids = [...new Set(userIds)].sort();
    if (ids.length < MIN_GROUP || ids.length > MAX_GROUP) throw errors.groupSizeRefused(MIN_GROUP, MAX_GROUP);
    const name = groupName(ids);
    const known = await this.repository.findByName('', name);
    if (known) return known;
    const users = await this.usersOf(ids);
    if (!users) throw errors.refusals.unknownGroupUser();
    const displayName = groupDisplayName(users.map((user) => user.username));
    const channel = newChannel(this.clock.now(), { teamId: '', type: 'G', name, displayName, creatorId });
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
        (await this.repository.findAnyByName('', channel.name)) ??
        (await insertOrFind(
          () => this.repository.insert([channel]),
          () => this.repository.findLatestByName('', channel.name),
        ));
      if (existing) return existing;
      if (channel.type === 'G') await this.requireFewGroups(channel.creatorId);
      for (const id of users.map((user) => user.id).sort()) {
        await this.users.getForUpdate(id);
        await this.requireRoom(channel, id);
      }
      await this.members.insert(users.map((user) => newMember(this.clock.now(), channel.id, user)));
      for (const { id } of users) this.permissions.forgetChannelMember(id, channel.id);
      await this.events.publish(event);
      return channel;
    });
  }

  /** The new channel does not count yet, because it has no members. */
  private async requireFewGroups(creatorId: string): Promise<void> {
    const { maxGroupsPerUser } = this.settings;
    await this.users.getForUpdate(creatorId);
    if ((await this.repository.countGroupsStartedBy(creatorId)) >= maxGroupsPerUser)
      throw errors.tooManyGroups(maxGroupsPerUser);
  }

  /** Channels that others start may use only parts of a user's limit (docs/contract/messaging.md#room-for-channels). */
  private async requireRoom({ type, creatorId }: Channel, userId: string): Promise<void> {
    await this.memberships.requireRoom(userId);
    if (creatorId === userId) return;
    await this.requirePart(userId, 'all', SHARE_FOR_OTHERS);
    if (type === 'G') await this.requirePart(userId, 'group', SHARE_FOR_GROUPS);
    if (creatorId === '') await this.requirePart(userId, 'webhook', SHARE_FOR_WEBHOOKS);
  }

  private async requirePart(userId: string, kind: 'all' | 'group' | 'webhook', part: number): Promise<void> {
    const limit = Math.floor(this.settings.maxChannelsPerUser * part);
    if ((await this.members.countStartedByOthers(userId, kind)) >= limit)
      throw errors.tooManyStartedByOthers(kind, limit);
  }

  /** Rereads the channel, because cached counters are stale. */
  private withCounters({ id }: Channel): Promise<Channel> {
    return this.repository.getFresh(id);
  }
}

function requireIds(ids: readonly string[]): void {
  if (!ids.every(isId)) throw new InvalidBodyParam('user_id', 'it must be 26 letters and digits');
}
