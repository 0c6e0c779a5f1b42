import { Injectable } from '@nestjs/common';
import { permissionDenied } from '../../platform/common/errors/common-errors.js';
import { DatabaseCache, idKeys, idPairKeys, type KeyShape } from '../../platform/database/database-cache.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Permission, Scope } from '../../platform/access/access.js';
import { type Actor, splitRoles } from './actor.js';
import { type ChannelPlace, type MembershipRoles, MembershipsReadModel } from './memberships.read-model.js';
import { CommonPermission } from './common.permissions.js';
import { RolesService } from './roles.service.js';

const MAX_BYTES = 16 * 1024 * 1024;

/** Whose permissions are checked: the caller, or another user such as the owner of a webhook. */
export type Subject = Pick<Actor, 'kind' | 'userId' | 'roles'>;

/**
 * Checks permissions (docs/contract/messaging.md#permissions). Team roles apply in their team, except in
 * private channels that the subject cannot read; channel roles apply in their channel, system roles
 * everywhere. Memberships are cached: code that changes one must call `forget…` in the same unit of work.
 */
@Injectable()
export class PermissionsService {
  private readonly teamRoles: DatabaseCache<readonly string[]>;
  private readonly channelRoles: DatabaseCache<readonly string[]>;
  private readonly systemRoles: DatabaseCache<readonly string[]>;
  private readonly channels: DatabaseCache<ChannelPlace | null>;
  private readonly formerMembers: DatabaseCache<boolean>;

  constructor(
    private readonly memberships: MembershipsReadModel,
    private readonly roles: RolesService,
    unitOfWork: UnitOfWork,
  ) {
    const cache = <V extends NonNullable<unknown> | null>(
      name: string,
      keys: KeyShape<V>,
    ): DatabaseCache<V> =>
      new DatabaseCache(unitOfWork, { name, maxBytes: MAX_BYTES, keys, keepsMisses: true });
    this.teamRoles = cache('team_roles', idPairKeys<readonly string[]>([]));
    this.channelRoles = cache('channel_roles', idPairKeys<readonly string[]>([]));
    this.systemRoles = cache('system_roles', idKeys<readonly string[]>([]));
    this.channels = cache('channel_places', idKeys<ChannelPlace | null>(null));
    this.formerMembers = cache('former_members', idPairKeys(false));
  }

  /** The subject for a user who is not the caller. An unknown user has no roles. */
  async subject(userId: string): Promise<Subject> {
    const roles = await this.systemRoles.get(userId, () => this.memberships.findSystemRoles(userId));
    return { kind: 'user', userId, roles };
  }

  /** Whether a user has system power that the subject lacks and must not gain by managing that user. */
  async isLessThan(subject: Subject, userId: string): Promise<boolean> {
    if (subject.kind === 'local') return false;
    return this.roles.grantMorePower((await this.subject(userId)).roles, subject.roles);
  }

  async has(subject: Subject, permission: Permission, scope: Scope): Promise<boolean> {
    if (scope === 'system') return this.hasOnSystem(subject, permission);
    return 'channelId' in scope
      ? this.hasOnChannel(subject, permission, scope.channelId)
      : this.hasOnTeam(subject, permission, scope.teamId);
  }

  /** Throws `permissionDenied`, which names the permission. */
  async require(subject: Subject, permission: Permission, scope: Scope): Promise<void> {
    if (!(await this.has(subject, permission, scope))) throw permissionDenied(permission);
  }

  /** Allows the user themselves, and holders of the permission on the system. Throws `permissionDenied`. */
  async requireSelfOr(subject: Subject, userId: string, permission: Permission): Promise<void> {
    if (subject.userId !== userId) await this.require(subject, permission, 'system');
  }

  /** Like requireSelfOr, but refuses accounts with more power than the actor. */
  async requireSelfOrOver(subject: Subject, userId: string, permission: Permission): Promise<void> {
    await this.requireSelfOr(subject, userId, permission);
    if (subject.userId !== userId && (await this.isLessThan(subject, userId)))
      throw permissionDenied(CommonPermission.ManageSystem);
  }

  async hasOnSystem(subject: Subject, permission: Permission): Promise<boolean> {
    if (subject.kind === 'local') return true;
    return this.roles.anyGrants(subject.roles, permission);
  }

  /** False for an empty team id. */
  async hasOnTeam(subject: Subject, permission: Permission, teamId: string): Promise<boolean> {
    if (teamId === '' || subject.kind === 'anonymous') return false;
    if (subject.kind === 'local') return true;
    if (await this.roles.anyGrants(await this.rolesInTeam(subject.userId, teamId), permission)) return true;
    return this.hasOnSystem(subject, permission);
  }

  /** False for an unknown channel. */
  async hasOnChannel(subject: Subject, permission: Permission, channelId: string): Promise<boolean> {
    const channel = channelId === '' ? null : await this.channel(channelId);
    if (!channel || subject.kind === 'anonymous') return false;
    if (subject.kind === 'local') return true;
    if (await this.roles.anyGrants(await this.rolesInChannel(subject.userId, channelId), permission))
      return true;
    if (await this.hasOnSystem(subject, CommonPermission.ManageSystem)) return true;
    return (await this.teamCounts(subject, channel, channelId))
      ? this.hasOnTeam(subject, permission, channel.teamId)
      : this.hasOnSystem(subject, permission);
  }

  /** Whether the subject may read the posts of a channel. For an open one, ReadPublicChannel in its team is enough. */
  async canReadChannel(subject: Subject, channelId: string): Promise<boolean> {
    if (await this.hasOnChannel(subject, CommonPermission.ReadChannelContent, channelId)) return true;
    const channel = await this.channel(channelId);
    return (
      channel?.type === 'O' &&
      (await this.hasOnTeam(subject, CommonPermission.ReadPublicChannel, channel.teamId))
    );
  }

  async isTeamMember(userId: string, teamId: string): Promise<boolean> {
    return (await this.rolesInTeam(userId, teamId)).length > 0;
  }

  /** Whether the user is a former member of the team. Cached. */
  hasLeftTeam(userId: string, teamId: string): Promise<boolean> {
    const load = async (): Promise<boolean> =>
      (await this.memberships.listFormer([userId], [teamId])).length > 0;
    return this.formerMembers.get(`${userId} ${teamId}`, load);
  }

  /** Like hasLeftTeam, but for many users in one query. Not cached. */
  async formerTeamMembers(
    owned: readonly { readonly ownerId: string; readonly teamId: string }[],
  ): Promise<(userId: string, teamId: string) => boolean> {
    const unique = (ids: readonly string[]): string[] => [...new Set(ids)];
    const former = await this.memberships.listFormer(
      unique(owned.map(({ ownerId }) => ownerId)),
      unique(owned.map(({ teamId }) => teamId)),
    );
    const keys = new Set(former.map(({ userId, teamId }) => `${userId} ${teamId}`));
    return (userId, teamId) => keys.has(`${userId} ${teamId}`);
  }

  async isChannelMember(userId: string, channelId: string): Promise<boolean> {
    return (await this.rolesInChannel(userId, channelId)).length > 0;
  }

  forgetTeamMember(userId: string, teamId: string): void {
    this.teamRoles.forget(`${userId} ${teamId}`);
    this.formerMembers.forget(`${userId} ${teamId}`);
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

  /** In a private channel, team roles apply only to its members and to users whose roles let them read it. */
  private async teamCounts(
    subject: Subject,
    { teamId, type }: ChannelPlace,
    channelId: string,
  ): Promise<boolean> {
    if (type === 'O') return true;
    if (teamId === '') return false;
    if (await this.isChannelMember(subject.userId, channelId)) return true;
    return this.hasOnTeam(subject, CommonPermission.ReadChannelContent, teamId);
  }

  private rolesInTeam(userId: string, teamId: string): Promise<readonly string[]> {
    const load = async (): Promise<readonly string[]> =>
      effectiveRoles('team', await this.memberships.findInTeam(userId, teamId));
    return this.teamRoles.get(`${userId} ${teamId}`, load);
  }

  private rolesInChannel(userId: string, channelId: string): Promise<readonly string[]> {
    const load = async (): Promise<readonly string[]> =>
      effectiveRoles('channel', await this.memberships.findInChannel(userId, channelId));
    return this.channelRoles.get(`${userId} ${channelId}`, load);
  }

  private channel(channelId: string): Promise<ChannelPlace | null> {
    return this.channels.get(channelId, () => this.memberships.findChannel(channelId));
  }
}

/** The roles of a membership as the API returns them: scheme roles first, then explicit roles. */
export function effectiveRoles(scope: 'team' | 'channel', member: MembershipRoles | null): readonly string[] {
  if (!member) return [];
  const roles = splitRoles(member.explicitRoles);
  if (member.schemeAdmin) roles.unshift(`${scope}_admin`);
  if (member.schemeUser) roles.unshift(`${scope}_user`);
  return [...new Set(roles)];
}
