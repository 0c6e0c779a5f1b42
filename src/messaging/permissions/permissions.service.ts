import { Injectable } from '@nestjs/common';
import { PermissionDenied } from '../../platform/common/errors/common-errors.js';
import { DatabaseCache } from '../../platform/database/database-cache.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Scope } from '../../platform/access/access.js';
import type { Actor } from './actor.js';
import {
  type ChannelPlace,
  type MembershipRoles,
  type Memberships,
  MembershipsReadModel,
} from './memberships.read-model.js';
import { CommonPermission } from './common.permissions.js';
import type { Permission } from '../../platform/access/permission.js';
import { splitRoles } from './role-list.js';
import { RolesService } from './roles.service.js';

const MAX_BYTES = 16 * 1024 * 1024;

/** Who is asked about: a caller, or a user who is not calling, such as the owner of a hook. */
export type Subject = Pick<Actor, 'kind' | 'userId' | 'roles'>;

/**
 * Answers whether somebody holds a permission (docs/contract/messaging.md#permissions): team roles count in their
 * team, channel roles in their channel, system roles everywhere. Memberships are cached; whoever changes one must
 * call `forget…` in the unit of work of the change.
 */
@Injectable()
export class PermissionsService {
  private readonly teamRoles: DatabaseCache<readonly string[]>;
  private readonly channelRoles: DatabaseCache<readonly string[]>;
  private readonly systemRoles: DatabaseCache<readonly string[]>;
  private readonly channels: DatabaseCache<ChannelPlace | null>;

  constructor(
    private readonly memberships: MembershipsReadModel,
    private readonly roles: RolesService,
    unitOfWork: UnitOfWork,
  ) {
    const bounds = { maxBytes: MAX_BYTES };
    this.teamRoles = new DatabaseCache(unitOfWork, bounds);
    this.channelRoles = new DatabaseCache(unitOfWork, bounds);
    this.systemRoles = new DatabaseCache(unitOfWork, bounds);
    this.channels = new DatabaseCache(unitOfWork, { ...bounds, keepsMisses: true });
  }

  /** A user as a subject, for checks on somebody who is not the caller. */
  async subject(userId: string): Promise<Subject> {
    const roles = await this.systemRoles.get(userId, () => this.memberships.findSystemRoles(userId));
    return { kind: 'user', userId, roles };
  }

  async has(subject: Subject, permission: Permission, scope: Scope): Promise<boolean> {
    if (scope === 'system') return this.hasOnSystem(subject, permission);
    return 'channelId' in scope
      ? this.hasOnChannel(subject, permission, scope.channelId)
      : this.hasOnTeam(subject, permission, scope.teamId);
  }

  /** Throws PermissionDenied naming the permission. */
  async require(subject: Subject, permission: Permission, scope: Scope): Promise<void> {
    if (!(await this.has(subject, permission, scope))) throw new PermissionDenied(permission);
  }

  /** What belongs to a user is for that user, and for holders of `permission` on the system. */
  async requireSelfOr(subject: Subject, userId: string, permission: Permission): Promise<void> {
    if (subject.userId !== userId) await this.require(subject, permission, 'system');
  }

  async hasOnSystem(subject: Subject, permission: Permission): Promise<boolean> {
    if (subject.kind === 'local') return true;
    return this.roles.grant(subject.roles, permission);
  }

  /** An empty team id is refused for everybody. */
  async hasOnTeam(subject: Subject, permission: Permission, teamId: string): Promise<boolean> {
    if (teamId === '' || subject.kind === 'anonymous') return false;
    if (subject.kind === 'local') return true;
    if (await this.roles.grant(await this.teamRolesOf(subject.userId, teamId), permission)) return true;
    return this.hasOnSystem(subject, permission);
  }

  /** An unknown channel is refused for everybody. */
  async hasOnChannel(subject: Subject, permission: Permission, channelId: string): Promise<boolean> {
    const channel = channelId === '' ? null : await this.channel(channelId);
    if (!channel || subject.kind === 'anonymous') return false;
    if (subject.kind === 'local') return true;
    if (await this.roles.grant(await this.channelRolesOf(subject.userId, channelId), permission)) return true;
    if (await this.hasOnSystem(subject, CommonPermission.ManageSystem)) return true;
    return channel.teamId === ''
      ? this.hasOnSystem(subject, permission)
      : this.hasOnTeam(subject, permission, channel.teamId);
  }

  /** Whether the channel's posts may be read: its own roles, or an open channel of a team whose channels one may read. */
  async canReadChannel(subject: Subject, channelId: string): Promise<boolean> {
    if (await this.hasOnChannel(subject, CommonPermission.ReadChannelContent, channelId)) return true;
    const channel = await this.channel(channelId);
    return (
      channel?.type === 'O' &&
      (await this.hasOnTeam(subject, CommonPermission.ReadPublicChannel, channel.teamId))
    );
  }

  async isTeamMember(userId: string, teamId: string): Promise<boolean> {
    return (await this.teamRolesOf(userId, teamId)).length > 0;
  }

  async isChannelMember(userId: string, channelId: string): Promise<boolean> {
    return (await this.channelRolesOf(userId, channelId)).length > 0;
  }

  /** Whether there is a channel that both users are in. */
  shareChannel(oneId: string, otherId: string): Promise<boolean> {
    return this.memberships.shareChannel(oneId, otherId);
  }

  /** The teams and channels of several users as they are now, by user id; for those who keep them up to date. */
  membershipsOf(userIds: readonly string[]): Promise<ReadonlyMap<string, Memberships>> {
    return this.memberships.listOf(userIds);
  }

  forgetTeamMember(userId: string, teamId: string): void {
    this.teamRoles.forget(`${userId} ${teamId}`);
  }

  forgetChannelMember(userId: string, channelId: string): void {
    this.channelRoles.forget(`${userId} ${channelId}`);
  }

  forgetChannel(channelId: string): void {
    this.channels.forget(channelId);
  }

  forgetSystemRoles(userId: string): void {
    this.systemRoles.forget(userId);
  }

  private teamRolesOf(userId: string, teamId: string): Promise<readonly string[]> {
    const load = async (): Promise<readonly string[]> =>
      effectiveRoles('team', await this.memberships.findInTeam(userId, teamId));
    return this.teamRoles.get(`${userId} ${teamId}`, load);
  }

  private channelRolesOf(userId: string, channelId: string): Promise<readonly string[]> {
    const load = async (): Promise<readonly string[]> =>
      effectiveRoles('channel', await this.memberships.findInChannel(userId, channelId));
    return this.channelRoles.get(`${userId} ${channelId}`, load);
  }

  private channel(channelId: string): Promise<ChannelPlace | null> {
    return this.channels.get(channelId, () => this.memberships.findChannel(channelId));
  }
}

/** The roles that a membership carries, as the wire shows them: the scheme's own, then the explicit ones. */
export function effectiveRoles(scope: 'team' | 'channel', member: MembershipRoles | null): readonly string[] {
  if (!member) return [];
  const roles = splitRoles(member.explicitRoles);
  if (member.schemeGuest) roles.unshift(`${scope}_guest`);
  if (member.schemeAdmin) roles.unshift(`${scope}_admin`);
  if (member.schemeUser) roles.unshift(`${scope}_user`);
  return [...new Set(roles)];
}
