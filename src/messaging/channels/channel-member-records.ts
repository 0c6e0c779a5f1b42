import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { insertOrFind } from '../../platform/database/insert-or-find.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { RoleChange } from '../teams/member-roles.js';
import { isGuest } from '../teams/team-member-records.js';
import { UserRecords } from '../users/user-records.js';
import type { User } from '../users/user.entity.js';
import { ChannelCache } from './channel-cache.js';
import type { ChannelMember } from './channel-member.entity.js';
import { ChannelMembersRepository } from './channel-members.repository.js';
import { DEFAULT_NOTIFY_PROPS } from './channel.rules.js';
import type { Channel } from './channel.entity.js';
import { ChannelRoom } from './channel-room.js';
import { channelMemberNotFound, channelNotFound } from './channels.errors.js';
import { ChannelsRepository } from './channels.repository.js';
import {
  ChannelMemberAdded,
  ChannelMemberRemoved,
  ChannelMemberUpdated,
  TeamChannelsLeft,
} from './channels.events.js';

/** Up to this many channels of a user are announced one by one; beyond that, clients reload them anyway. */
const MAX_ANNOUNCED = 1000;

/**
 * Writes channel memberships; does not check permissions. Each change locks the channel's row, which
 * serializes changes to one channel's members, and publishes its event in the same transaction.
 */
@Injectable()
export class ChannelMemberRecords {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly members: ChannelMembersRepository,
    private readonly cache: ChannelCache,
    private readonly users: UserRecords,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly room: ChannelRoom,
  ) {}

  /**
   * Adds a user; `isByOther` applies the lower limit for additions by others. Does nothing for a current
   * member. Throws `channelNotFound`, `tooManyChannelsOfUser`, `addedToTooManyChannels`.
   */
  async add(
    { id, teamId }: Channel,
    user: User,
    actorId: string,
    { isAdmin = false, isByOther = false } = {},
  ): Promise<ChannelMember> {
    return this.unitOfWork.run(async () => {
      if (!(await this.channels.findByIdForUpdate(id))) throw channelNotFound();
      const account = await this.users.getForUpdate(user.id);
      const known = await this.members.find(id, user.id);
      if (known) return known;
      await this.room.require(user.id, isByOther);
      const member = this.newMember(id, account, isAdmin);
      const existing = await insertOrFind(
        () => this.members.insert([member]),
        () => this.members.findLatest(id, user.id),
      );
      if (existing) return existing;
      this.cache.forgetMembers(id, [user.id]);
      await this.events.publish(new ChannelMemberAdded(id, user.id, actorId, teamId));
      return member;
    });
  }

  /**
   * Inserts the members of a new direct or group channel; publishes no event for them. Throws `tooManyChannelsOfUser`,
   * `tooManyBegunByOthers`.
   */
  async insertInitial(channel: Channel, users: readonly User[]): Promise<void> {
    for (const id of users.map((user) => user.id).sort()) {
      await this.users.getForUpdate(id);
      await this.room.requireFor(channel, id);
    }
    await this.members.insert(users.map((user) => this.newMember(channel.id, user, false)));
    this.cache.forgetMembers(
      channel.id,
      users.map((user) => user.id),
    );
  }

  /** Throws `channelMemberNotFound`. */
  async remove({ id, teamId }: Channel, userId: string, actorId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.channels.findByIdForUpdate(id);
      if (!(await this.members.find(id, userId))) throw channelMemberNotFound();
      await this.members.delete([id], userId);
      this.cache.forgetMembers(id, [userId]);
      await this.events.publish(new ChannelMemberRemoved(id, userId, actorId, teamId));
    });
  }

  /** Removes a user who leaves a team from all of its channels. */
  async removeFromTeam(teamId: string, userId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const channelIds = await this.members.channelIdsOfUser(userId, teamId);
      await this.members.delete(channelIds, userId);
      for (const channelId of channelIds) this.cache.forgetMembers(channelId, [userId]);
      await this.events.publish(new TeamChannelsLeft(teamId, userId, channelIds));
    });
  }

  /** Replaces a member's roles with the result of `decide`. Throws `channelMemberNotFound`. */
  changeRoles(channelId: string, userId: string, decide: RoleChange): Promise<void> {
    return this.change(channelId, userId, async (member) => {
      const account = await this.users.getForUpdate(userId);
      const { explicitRoles, schemeGuest, schemeUser, schemeAdmin } = decide(member, isGuest(account));
      return { explicitRoles, schemeGuest, schemeUser, schemeAdmin };
    });
  }

  /** Like changeRoles, but for notification settings. Throws `channelMemberNotFound`. */
  changeNotifyProps(
    channelId: string,
    userId: string,
    decide: (present: Record<string, string>) => Record<string, string>,
  ): Promise<void> {
    return this.change(channelId, userId, (member) => ({ notifyProps: decide(member.notifyProps) }));
  }

  /** Updates memberships after an account became a guest or stopped being one, in the same transaction. */
  async followAccount(userId: string, isGuest: boolean): Promise<void> {
    const channelIds = await this.members.followAccount(userId, isGuest, this.clock.now());
    for (const channelId of channelIds) this.cache.forgetMembers(channelId, [userId]);
    for (const channelId of channelIds.slice(0, MAX_ANNOUNCED))
      await this.events.publish(new ChannelMemberUpdated(channelId, userId));
  }

  private async change(
    channelId: string,
    userId: string,
    decide: (member: ChannelMember) => Partial<ChannelMember> | Promise<Partial<ChannelMember>>,
  ): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.channels.findByIdForUpdate(channelId);
      const member = await this.members.find(channelId, userId);
      if (!member) throw channelMemberNotFound();
      await this.members.update(channelId, userId, {
        ...(await decide(member)),
        lastUpdateAt: this.clock.now(),
      });
      this.cache.forgetMembers(channelId, [userId]);
      await this.events.publish(new ChannelMemberUpdated(channelId, userId));
    });
  }

  private newMember(channelId: string, user: User, isAdmin: boolean): ChannelMember {
    return {
      channelId,
      userId: user.id,
      explicitRoles: '',
      schemeGuest: isGuest(user),
      schemeUser: !isGuest(user),
      schemeAdmin: isAdmin && !isGuest(user),
      lastViewedAt: 0,
      msgCount: 0,
      msgCountRoot: 0,
      mentionCount: 0,
      mentionCountRoot: 0,
      notifyProps: { ...DEFAULT_NOTIFY_PROPS },
      lastUpdateAt: this.clock.now(),
    };
  }
}
