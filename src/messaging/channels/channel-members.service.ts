import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import type { Page } from '../../platform/common/dto/params.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { permissionDenied } from '../../platform/common/errors/common-errors.js';
import { insertOrFind } from '../../platform/database/insert-or-find.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { InTransaction } from '../../platform/events/listeners.js';
import type { Actor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { MemberRoles, type SchemeFlags } from '../teams/member-roles.js';
import { TeamMembersService } from '../teams/team-members.service.js';
import { teamMemberNotFound } from '../teams/teams.errors.js';
import { TeamMemberAdded, TeamMemberRemoved } from '../teams/teams.events.js';
import { TeamsService } from '../teams/teams.service.js';
import { UsersService } from '../users/users.service.js';
import type { User } from '../users/user.entity.js';
import { requireLocalUser, UserPermission } from '../users/users.policy.js';
import type { ChannelMember } from './channel-member.entity.js';
import { ChannelMembersRepository } from './channel-members.repository.js';
import type { Channel } from './channel.entity.js';
import { changedNotifyProps, DEFAULT_CHANNEL, DEFAULT_CHANNELS, newMember } from './channel.rules.js';
import * as errors from './channels.errors.js';
import {
  ChannelMemberAdded,
  ChannelMemberRemoved,
  ChannelMemberUpdated,
  ChannelsLeft,
  TeamChannelsLeft,
} from './channels.events.js';
import { ChannelPermission, type AddRights, ChannelsPolicy } from './channels.policy.js';
import { ChannelsRepository } from './channels.repository.js';
import { ChannelsSettings } from './channels.settings.js';
import { type AddChannelMemberDto, wantedUsers } from './dto/channel-member.dto.js';

/**
 * Channel member use cases, with the checks in the contract's order (docs/contract/messaging.md#channel-members). Each
 * change locks the channel's row, which serializes changes to one channel's members, and publishes its event in the
 * same transaction.
 */
@Injectable()
export class ChannelMembersService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly members: ChannelMembersRepository,
    private readonly policy: ChannelsPolicy,
    private readonly permissions: PermissionsService,
    private readonly roles: MemberRoles,
    private readonly teams: TeamsService,
    private readonly teamMembers: TeamMembersService,
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly settings: ChannelsSettings,
  ) {}

  /** Adds the users that can be added; throws the last error if none can. */
  async add(actor: Actor, channelId: string, body: AddChannelMemberDto): Promise<ChannelMember[]> {
    const userIds = wantedUsers(body);
    const channel = await this.channels.get(channelId);
    if (channel.teamId === '') throw errors.refusals.addToDirect();
    const rights = await this.policy.addRights(actor, channel);
    const added: ChannelMember[] = [];
    let failure: AppError | undefined;
    for (const userId of userIds) {
      try {
        added.push(await this.addOne(actor, channel, userId, rights));
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        failure = error;
      }
    }
    if (failure && added.length === 0) throw failure;
    return added;
  }

  list(channelId: string, { offset, perPage }: Page): Promise<ChannelMember[]> {
    return this.members.list(channelId, offset, perPage);
  }

  find(channelId: string, userId: string): Promise<ChannelMember | null> {
    return this.members.find(channelId, userId);
  }

  /** Throws `channelMemberNotFound`. */
  async get(channelId: string, userId: string): Promise<ChannelMember> {
    const member = await this.find(channelId, userId);
    if (!member) throw errors.channelMemberNotFound();
    return member;
  }

  async listByUserIds(
    actor: Actor,
    channelId: string,
    userIds: readonly string[],
  ): Promise<readonly ChannelMember[]> {
    await this.permissions.require(actor, CommonPermission.ReadChannel, { channelId });
    return this.members.listByUserIds(channelId, userIds);
  }

  async remove(actor: Actor, channelId: string, userId: string): Promise<void> {
    const channel = await this.channels.get(channelId);
    await this.users.get(userId);
    if (channel.teamId === '') throw errors.refusals.removeFromDirect();
    await this.policy.requireRemove(actor, channel, userId);
    if (channel.name === DEFAULT_CHANNEL) throw errors.refusals.leaveDefault();
    await this.unitOfWork.run(async () => {
      await this.channels.lock(channelId);
      await this.get(channelId, userId);
      await this.members.delete([channelId], userId);
      this.permissions.forgetChannelMember(userId, channelId);
      const event = new ChannelMemberRemoved(channelId, userId, actor.userId, channel.teamId);
      await this.events.publish(event);
    });
  }

  /** Adds a new member of a team to its default channels; a team administrator also administers them. */
  @InTransaction(TeamMemberAdded)
  async onTeamMemberAdded({ teamId, userId, actorId }: TeamMemberAdded): Promise<void> {
    const user = await this.users.get(userId);
    const membership = await this.teamMembers.find(teamId, userId);
    const names = DEFAULT_CHANNELS.map(({ name }) => name);
    for (const channel of await this.channels.listByNames(teamId, names))
      await this.join(channel, user, actorId, { isAdmin: membership?.schemeAdmin ?? false });
  }

  /** Removes a user who leaves a team from all of its channels. */
  @InTransaction(TeamMemberRemoved)
  async onTeamMemberRemoved({ teamId, userId, actorId }: TeamMemberRemoved): Promise<void> {
    await this.unitOfWork.run(async () => {
      const channelIds = await this.members.channelIdsOfUser(userId, teamId);
      await this.members.delete(channelIds, userId);
      for (const channelId of channelIds) this.permissions.forgetChannelMember(userId, channelId);
      await this.events.publish(new ChannelsLeft(teamId, channelIds, userId, actorId));
      await this.events.publish(new TeamChannelsLeft(teamId, userId));
    });
  }

  async setRoles(actor: Actor, channelId: string, userId: string, text: string): Promise<void> {
    this.roles.requireWellFormed(text);
    await this.permissions.require(actor, ChannelPermission.ManageChannelRoles, { channelId });
    await this.get(channelId, userId);
    const next = await this.roles.parse('channel', text);
    await this.change(channelId, userId, () => this.roles.allowed('channel', next));
  }

  async setSchemeRoles(actor: Actor, channelId: string, userId: string, flags: SchemeFlags): Promise<void> {
    await this.permissions.require(actor, ChannelPermission.ManageChannelRoles, { channelId });
    await this.change(channelId, userId, ({ explicitRoles }) =>
      this.roles.allowed('channel', { explicitRoles, ...flags }),
    );
  }

  async setNotifyProps(
    actor: Actor,
    channelId: string,
    userId: string,
    props: Record<string, string>,
  ): Promise<void> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    await this.change(channelId, userId, ({ notifyProps }) => ({
      notifyProps: changedNotifyProps(notifyProps, props),
    }));
  }

  /**
   * Adds a user; `isByOther` applies the lower limit for additions by others. Does nothing for a current
   * member. Throws `channelNotFound`, `tooManyChannelsOfUser`, `addedToTooManyChannels`.
   */
  async join(
    { id, teamId }: Channel,
    { id: userId }: User,
    actorId: string,
    { isAdmin = false, isByOther = false } = {},
  ): Promise<ChannelMember> {
    return this.unitOfWork.run(async () => {
      await this.channels.getForUpdate(id);
      const user = await this.users.getForUpdate(userId);
      const known = await this.members.find(id, userId);
      if (known) return known;
      await this.requireRoom(userId, isByOther);
      const member = newMember(this.clock.now(), id, user, isAdmin);
      const existing = await insertOrFind(
        () => this.members.insert([member]),
        () => this.members.findLatest(id, userId),
      );
      if (existing) return existing;
      this.permissions.forgetChannelMember(userId, id);
      await this.events.publish(new ChannelMemberAdded(id, userId, actorId, teamId));
      return member;
    });
  }

  /**
   * Limits how many channels a user can be in; others can fill only half of it. The account's row must be locked, so
   * that concurrent calls cannot exceed a limit. Throws `tooManyChannelsOfUser`, `addedToTooManyChannels`.
   */
  async requireRoom(userId: string, isByOther = false): Promise<void> {
    const { maxChannelsPerUser } = this.settings;
    const count = await this.members.countOfUser(userId);
    if (count >= maxChannelsPerUser) throw errors.tooManyChannelsOfUser(maxChannelsPerUser);
    const maxByOthers = Math.floor(maxChannelsPerUser / 2);
    if (isByOther && count >= maxByOthers) throw errors.addedToTooManyChannels(maxByOthers);
  }

  private async addOne(
    actor: Actor,
    channel: Channel,
    userId: string,
    rights: AddRights,
  ): Promise<ChannelMember> {
    const known = await this.members.find(channel.id, userId);
    const isSelf = actor.userId === userId;
    if (known && isSelf) return known;
    if (isSelf && !rights.self) throw permissionDenied(ChannelPermission.JoinPublicChannels);
    if (!isSelf && !rights.others) throw permissionDenied(ChannelPermission.ManagePublicChannelMembers);
    if (known) return known;
    const user = await this.users.get(userId);
    requireLocalUser(user);
    if (user.deleteAt > 0) throw errors.deactivatedUserRefused();
    const isByOther = !isSelf && !(await this.permissions.hasOnSystem(actor, CommonPermission.ManageSystem));
    if (channel.deleteAt > 0 || (await this.teams.isArchived(channel.teamId)))
      throw errors.refusals.archived();
    return this.unitOfWork.run(async () => {
      const teamMember = await this.teamMembers.findForUpdate(channel.teamId, userId);
      if (!teamMember) throw teamMemberNotFound();
      if (teamMember.deleteAt > 0) throw errors.refusals.leftTeam();
      return this.join(channel, user, actor.userId, { isByOther });
    });
  }

  /** Throws `channelMemberNotFound`. */
  private async change(
    channelId: string,
    userId: string,
    decide: (member: ChannelMember) => Partial<ChannelMember>,
  ): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.channels.lock(channelId);
      const change = decide(await this.get(channelId, userId));
      await this.members.update(channelId, userId, { ...change, lastUpdateAt: this.clock.now() });
      this.permissions.forgetChannelMember(userId, channelId);
      await this.events.publish(new ChannelMemberUpdated(channelId, userId));
    });
  }
}
