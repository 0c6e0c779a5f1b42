import { Injectable, Logger } from '@nestjs/common';
import { UserPermission } from '../users/users.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { splitRoles } from '../permissions/role-list.js';
import { UserRecords } from '../users/user-records.js';
import { LiveConnections } from './connections/live-connections.js';
import { CloseCode } from './connections/live-socket.js';
import type { LiveUser } from './connections/live-user.js';
import type { Broadcast } from './live-event.js';

const USERS_PER_LOAD = 200;
const NOBODY: ReadonlySet<LiveUser> = new Set();

/** A broadcast that knows where the user is whom it tells of. */
export interface BoundedBroadcast extends Broadcast {
  readonly subjectChannelIds?: ReadonlySet<string>;
}

/**
 * Knows which connected users are where, so that an event costs what its receivers cost. A user whose memberships
 * may have changed is read anew before the next event is delivered.
 */
@Injectable()
export class LiveAudience {
  private readonly logger = new Logger(LiveAudience.name);
  private readonly stale = new Set<LiveUser>();
  private readonly inChannel = new Map<string, Set<LiveUser>>();
  private readonly inTeam = new Map<string, Set<LiveUser>>();

  constructor(
    private readonly connections: LiveConnections,
    private readonly permissions: PermissionsService,
    private readonly users: UserRecords,
  ) {
    connections.onUserEntered = (user) => this.stale.add(user);
    connections.onUserLeft = (user) => this.remove(user);
  }

  get isStale(): boolean {
    return this.stale.size > 0;
  }

  /** What is known of the user may be out of date. */
  forget(userId: string): void {
    const user = this.connections.user(userId);
    if (user) this.stale.add(user);
  }

  /** What is known of anybody may be out of date. */
  forgetAll(): void {
    for (const user of this.connections.users()) this.stale.add(user);
  }

  /** Reads anew what is out of date. Whoever cannot be read is disconnected rather than told too little or too much. */
  async refresh(): Promise<void> {
    while (this.stale.size > 0) {
      const users = [...this.stale].slice(0, USERS_PER_LOAD);
      for (const user of users) this.stale.delete(user);
      try {
        await this.load(users);
      } catch (error) {
        this.logger.error(`No memberships for ${users.length} connected users: ${nameOf(error)}.`);
        for (const user of users) {
          this.connections.end(
            user.id,
            [],
            CloseCode.TryAgainLater,
            'The server cannot tell what is yours to see.',
          );
        }
      }
    }
  }

  /** Who receives an event, as far as channel, team and user go; the rest is `isReceiver`'s. */
  candidates({ userId, channelId, teamId }: Broadcast): Iterable<LiveUser> {
    if (userId !== undefined) {
      const user = this.connections.user(userId);
      return user ? [user] : NOBODY;
    }
    if (channelId !== undefined) return this.inChannel.get(channelId) ?? NOBODY;
    if (teamId !== undefined) return this.inTeam.get(teamId) ?? NOBODY;
    return this.connections.users();
  }

  /** Adds what decides whether guests may hear of a user; nothing while none is connected. */
  async bounded(broadcast: Broadcast): Promise<BoundedBroadcast> {
    const { aboutUserId } = broadcast;
    if (aboutUserId === undefined || !this.hasGuest(broadcast)) return broadcast;
    const memberships = await this.permissions.membershipsOf([aboutUserId]);
    return { ...broadcast, subjectChannelIds: new Set(memberships.get(aboutUserId)?.channelIds) };
  }

  private hasGuest(broadcast: Broadcast): boolean {
    for (const user of this.candidates(broadcast)) if (user.isGuest) return true;
    return false;
  }

  private async load(users: readonly LiveUser[]): Promise<void> {
    const memberships = await this.permissions.membershipsOf(users.map(({ id }) => id));
    const accounts = await Promise.all(users.map(({ id }) => this.users.find(id)));
    const roles = accounts.map((account) => splitRoles(account?.roles ?? ''));
    const seeEverybody = await Promise.all(roles.map((names) => this.seesEverybody(names)));
    users.forEach((user, index) => {
      const account = accounts[index];
      if (this.connections.user(user.id) !== user || this.stale.has(user)) return; // gone, or changed again meanwhile
      user.username = account?.username ?? '';
      user.takesChannelMentions = account?.notifyProps['channel'] !== 'false';
      user.isAdmin = roles[index]?.includes('system_admin') ?? false;
      user.isGuest = seeEverybody[index] !== true;
      const now = memberships.get(user.id);
      user.channelIds = move(this.inChannel, user, user.channelIds, new Set(now?.channelIds));
      user.teamIds = move(this.inTeam, user, user.teamIds, new Set(now?.teamIds));
    });
  }

  private seesEverybody(roles: readonly string[]): Promise<boolean> {
    return this.permissions.has({ kind: 'user', userId: '', roles }, UserPermission.ViewMembers, 'system');
  }

  private remove(user: LiveUser): void {
    this.stale.delete(user);
    user.channelIds = move(this.inChannel, user, user.channelIds, new Set());
    user.teamIds = move(this.inTeam, user, user.teamIds, new Set());
  }
}

/** Whether a candidate is one of those the event is for. */
export function isReceiver(user: LiveUser, broadcast: BoundedBroadcast): boolean {
  const { omitUsers, split } = broadcast;
  if (split !== undefined && user.isAdmin !== (split === 'admins')) return false;
  return !omitUsers?.includes(user.id) && maySeeSubject(user, broadcast);
}

function maySeeSubject(user: LiveUser, { aboutUserId, subjectChannelIds }: BoundedBroadcast): boolean {
  if (aboutUserId === undefined || aboutUserId === user.id || !user.isGuest) return true;
  for (const id of subjectChannelIds ?? []) if (user.channelIds.has(id)) return true;
  return false;
}

function move(
  index: Map<string, Set<LiveUser>>,
  user: LiveUser,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): ReadonlySet<string> {
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
  return after;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
