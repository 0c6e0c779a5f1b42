import { AppError } from '../../platform/common/errors/app-error.js';
import { Injectable, Logger } from '@nestjs/common';
import {
  type MembershipAccess,
  MembershipAccessService,
  NO_ACCESS,
} from '../permissions/membership-access.service.js';
import { splitRoles } from '../permissions/actor.js';
import { UsersService } from '../users/users.service.js';
import { LiveConnections } from './connections/live-connections.js';
import { CloseCode } from './connections/live-socket.js';
import type { LiveUser } from './connections/live-connection.js';
import type { Broadcast } from './live-event.js';

const USERS_PER_LOAD = 200;
const NOBODY: ReadonlySet<LiveUser> = new Set();

/**
 * Indexes connected users by team and channel, with what they may read there, so that delivering an event
 * costs time only for its receivers and needs no query. Users whose access may have changed are reloaded
 * before the next delivery.
 */
@Injectable()
export class LiveAudience {
  private readonly logger = new Logger(LiveAudience.name);
  private readonly stale = new Set<LiveUser>();
  private readonly inChannel = new Map<string, Set<LiveUser>>();
  private readonly inTeam = new Map<string, Set<LiveUser>>();
  private refreshing: Promise<void> | undefined;

  constructor(
    private readonly connections: LiveConnections,
    private readonly access: MembershipAccessService,
    private readonly users: UsersService,
  ) {
    connections.onUserEntered = (user) => this.stale.add(user);
    connections.onUserLeft = (user) => this.remove(user);
  }

  get isStale(): boolean {
    return this.stale.size > 0 || this.refreshing !== undefined;
  }

  forget(userId: string): void {
    const user = this.connections.user(userId);
    if (user) this.stale.add(user);
  }

  forgetChannel(channelId: string): void {
    for (const user of this.inChannel.get(channelId) ?? NOBODY) this.stale.add(user);
  }

  forgetAll(): void {
    for (const user of this.connections.users()) this.stale.add(user);
  }

  /** Reloads the marked users. Users who cannot be loaded are disconnected, as their access is unknown. */
  refresh(): Promise<void> {
    return (this.refreshing ??= this.reload().finally(() => (this.refreshing = undefined)));
  }

  /** The users selected by user, channel or team. The caller filters them by `isReceiver`. */
  candidates({ userId, channelId, teamId }: Broadcast): Iterable<LiveUser> {
    if (userId !== undefined) {
      const user = this.connections.user(userId);
      return user ? [user] : NOBODY;
    }
    if (channelId !== undefined) return this.inChannel.get(channelId) ?? NOBODY;
    if (teamId !== undefined) return this.inTeam.get(teamId) ?? NOBODY;
    return this.connections.users();
  }

  isInChannel(channelId: string): boolean {
    return this.inChannel.has(channelId);
  }

  private async reload(): Promise<void> {
    while (this.stale.size > 0) {
      const users = [...this.stale].slice(0, USERS_PER_LOAD);
      for (const user of users) this.stale.delete(user);
      try {
        await this.load(users);
      } catch (error) {
        this.logger.error(
          `The memberships of ${users.length} connected users cannot be loaded: ${nameOf(error)}.`,
        );
        for (const user of users) {
          this.connections.end(user.id, [], CloseCode.TryAgainLater, 'Your memberships cannot be loaded.');
        }
      }
    }
  }

  private async load(users: readonly LiveUser[]): Promise<void> {
    const accounts = await Promise.all(users.map(({ id }) => this.users.find(id)));
    const roles = accounts.map((account) => splitRoles(account?.roles ?? ''));
    const access = await this.access.of(
      users.map(({ id }, index) => ({ kind: 'user', userId: id, roles: roles[index] ?? [] })),
    );
    users.forEach((user, index) => {
      const account = accounts[index];
      if (this.connections.user(user.id) !== user || this.stale.has(user)) return; // disconnected, or marked again
      user.username = account?.username ?? '';
      user.takesChannelMentions = account?.notifyProps['channel'] !== 'false';
      user.isAdmin = roles[index]?.includes('system_admin') ?? false;
      this.place(user, access.get(user.id) ?? NO_ACCESS);
    });
  }

  private remove(user: LiveUser): void {
    this.stale.delete(user);
    this.place(user, NO_ACCESS);
  }

  private place(user: LiveUser, access: MembershipAccess): void {
    reindex(this.inChannel, user, user.access.channelIds, access.channelIds);
    reindex(this.inTeam, user, user.access.teamIds, access.teamIds);
    user.access = access;
  }
}

/** Whether a candidate receives the event. */
export function isReceiver(user: LiveUser, broadcast: Broadcast): boolean {
  const { omitUsers, split } = broadcast;
  if (split !== undefined && user.isAdmin !== (split === 'admins')) return false;
  return !omitUsers?.includes(user.id) && canSeePlace(user, broadcast);
}

/** Applies the same rights as reads over HTTP; an event addressed to one user is always delivered. */
function canSeePlace(
  { access }: LiveUser,
  { userId, channelId, isContent, openChannelId, teamId }: Broadcast,
): boolean {
  if (userId !== undefined) return true;
  if (channelId !== undefined) return !(isContent ? access.unreadableIds : access.unseenIds).has(channelId);
  if (openChannelId === undefined || access.openTeamIds.has(teamId ?? '')) return true;
  return access.channelIds.has(openChannelId) && !access.unseenIds.has(openChannelId);
}

/** Moves a user from the index entries of `before` to those of `after`. */
function reindex(
  index: Map<string, Set<LiveUser>>,
  user: LiveUser,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): void {
  for (const id of before) {
    if (after.has(id)) continue;
    const users = index.get(id);
    users?.delete(user);
    if (users?.size === 0) index.delete(id);
  }
  for (const id of after) {
    if (before.has(id)) continue;
    const users = index.get(id);
    if (users) users.add(user);
    else index.set(id, new Set([user]));
  }
}

function nameOf(error: unknown): string {
  return error instanceof AppError ? error.id : error instanceof Error ? error.name : 'unknown';
}
