import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { SchemeRoles } from '../teams/member-roles.js';
import { isGuest } from '../teams/team-member-records.js';
import type { User } from '../users/user.entity.js';
import { ChannelCache } from './channel-cache.js';
import type { ChannelMember } from './channel-member.entity.js';
import { ChannelMembersRepository } from './channel-members.repository.js';
import { DEFAULT_NOTIFY_PROPS } from './channel.rules.js';
import type { Channel } from './channel.entity.js';
import { ChannelMemberNotFound, ChannelNotFound } from './channels.errors.js';
import { ChannelsRepository } from './channels.repository.js';
import { ChannelMemberAdded } from './events/channel-member-added.event.js';
import { ChannelMemberRemoved } from './events/channel-member-removed.event.js';
import { ChannelMemberUpdated } from './events/channel-member-updated.event.js';

/**
 * Who is in which channel: the writes, without the question who may. Members of one channel change one after another,
 * since each change holds the channel's row; what follows from a change happens in the same transaction.
 */
@Injectable()
export class ChannelMemberRecords {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly members: ChannelMembersRepository,
    private readonly cache: ChannelCache,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** Makes a user a member; one who is there already stays as is, and nothing is announced. */
  async add({ id, teamId }: Channel, user: User, actorId: string, isAdmin = false): Promise<ChannelMember> {
    return this.unitOfWork.run(async () => {
      if (!(await this.channels.findByIdForUpdate(id))) throw new ChannelNotFound();
      const known = await this.members.find(id, user.id);
      if (known) return known;
      const member = this.newMember(id, user, isAdmin);
      const winner = await this.insertOrFind(member);
      if (winner) return winner;
      this.cache.forgetMembers(id, [user.id]);
      await this.events.publish(new ChannelMemberAdded(id, user.id, actorId, teamId));
      return member;
    });
  }

  /** The members a channel is born with; nothing is announced for each of them. */
  async insertFirst(channelId: string, users: readonly User[]): Promise<void> {
    await this.members.insert(users.map((user) => this.newMember(channelId, user, false)));
    this.cache.forgetMembers(
      channelId,
      users.map((user) => user.id),
    );
  }

  /** Throws ChannelMemberNotFound. */
  async remove({ id, teamId }: Channel, userId: string, actorId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.channels.findByIdForUpdate(id);
      if (!(await this.members.find(id, userId))) throw new ChannelMemberNotFound();
      await this.members.delete([id], userId);
      this.cache.forgetMembers(id, [userId]);
      await this.events.publish(new ChannelMemberRemoved(id, userId, actorId, teamId));
    });
  }

  /** Takes a user out of every channel of a team. The team announces that once; the channels say nothing. */
  async removeFromTeam(teamId: string, userId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const channelIds = await this.members.channelIdsOfUser(userId, teamId);
      await this.members.delete(channelIds, userId);
      for (const channelId of channelIds) this.cache.forgetMembers(channelId, [userId]);
    });
  }

  /** Changes what a member is; `decide` gets the present roles. Throws ChannelMemberNotFound. */
  changeRoles(
    channelId: string,
    userId: string,
    decide: (present: SchemeRoles) => SchemeRoles,
  ): Promise<void> {
    return this.change(channelId, userId, (member) => {
      const { explicitRoles, schemeGuest, schemeUser, schemeAdmin } = decide(member);
      return { explicitRoles, schemeGuest, schemeUser, schemeAdmin };
    });
  }

  changeNotifyProps(
    channelId: string,
    userId: string,
    decide: (present: Record<string, string>) => Record<string, string>,
  ): Promise<void> {
    return this.change(channelId, userId, (member) => ({ notifyProps: decide(member.notifyProps) }));
  }

  private async change(
    channelId: string,
    userId: string,
    decide: (member: ChannelMember) => Partial<ChannelMember>,
  ): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.channels.findByIdForUpdate(channelId);
      const member = await this.members.find(channelId, userId);
      if (!member) throw new ChannelMemberNotFound();
      await this.members.update(channelId, userId, { ...decide(member), lastUpdateAt: this.clock.now() });
      this.cache.forgetMembers(channelId, [userId]);
      await this.events.publish(new ChannelMemberUpdated(channelId, userId));
    });
  }

  /** Inserts, or gives the row that another transaction has just committed. */
  private async insertOrFind(member: ChannelMember): Promise<ChannelMember | null> {
    try {
      await this.members.insert([member]);
      return null;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const winner = await this.members.findLatest(member.channelId, member.userId);
      if (!winner) throw error;
      return winner;
    }
  }

  private newMember(channelId: string, user: User, isAdmin: boolean): ChannelMember {
    return {
      channelId,
      userId: user.id,
      explicitRoles: '',
      schemeGuest: isGuest(user),
      schemeUser: !isGuest(user),
      schemeAdmin: isAdmin,
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
