import { Injectable, Logger } from '@nestjs/common';
import {
  deactivatedThereAt,
  REMOTE_DELETE_AT,
  type RemoteProfile,
  RemoteUsersService,
} from '../../messaging/users/remote-users.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type Peer, RemoteClusterRecords } from '../../remote-cluster/remote-cluster-records.js';
import { SharedChannelsSettings } from '../shared-channels.settings.js';
import type { User } from '../../messaging/users/user.entity.js';
import { UsersService } from '../../messaging/users/users.service.js';
import { byteLength, sliceRunes } from '../../platform/common/utf8.js';
import { visible } from '../../platform/common/visible.js';
import { aliasOf } from './sync-message.js';

const MAX_USERNAME_BYTES = 64;
const MAX_NAME_RUNES = 64;
const MAX_POSITION_RUNES = 128;
/** Each attempt costs a transaction, so a peer whose users share one name must not need many. */
const MAX_ATTEMPTS = 6;
const ID_PART_LENGTH = 12;
const MAX_SUFFIX_LENGTH = 32;

export type RemoteAccount = Pick<
  User,
  'id' | 'username' | 'email' | 'nickname' | 'firstName' | 'lastName' | 'position' | 'locale' | 'deleteAt'
>;

/**
 * Stores accounts of other servers under names such as `anna:branch`. They keep their ids if possible, and
 * cannot be used to sign in here. Limits the accounts of a connection, so that no peer floods this server with them.
 */
@Injectable()
export class SyncedAccounts {
  private readonly logger = new Logger(SyncedAccounts.name);
  /** The accounts of each connection, read once from the database, then counted here. */
  private readonly taken = new Map<string, number>();
  private readonly told = new Set<string>();

  constructor(
    private readonly users: UsersService,
    private readonly remoteUsers: RemoteUsersService,
    private readonly settings: SharedChannelsSettings,
    private readonly clusters: RemoteClusterRecords,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Creates or updates an account. Returns null if its id belongs to another account, no username is free, or
   * the connection has reached its account limit.
   */
  async save(peer: Peer, account: RemoteAccount): Promise<User | null> {
    const known = await this.find(peer, account.id);
    if (known) return this.update(known, peer, account);
    return this.withRoom(peer.remoteId, () => this.create(peer, account));
  }

  /**
   * Finds an account by its id on the source server. Its id here may differ if the same user came from a
   * third server before, or another account has the id.
   */
  async find(peer: Peer, id: string): Promise<User | null> {
    for (const localId of [id, aliasOf(peer, id)]) {
      const user = await this.users.find(localId);
      if (user && (await this.clusters.owns(peer, user.remoteId))) return user;
    }
    return null;
  }

  private async create(peer: Peer, account: RemoteAccount): Promise<User | null> {
    const isTaken = (await this.users.find(account.id)) !== null;
    const id = isTaken ? aliasOf(peer, account.id) : account.id;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const user = await this.remoteUsers.create({
        id,
        username: usernameOf(account.username, peer.name, markOf(id, attempt)),
        email: `${id}@${peer.remoteId}.remote.invalid`, // an account here may have the real one
        locale: account.locale,
        remoteId: peer.remoteId,
        ...profileOf(account),
        props: originOf(account),
      });
      if (user) return user;
      const winner = await this.users.find(id);
      if (winner) return (await this.clusters.owns(peer, winner.remoteId)) ? winner : null;
    }
    return null;
  }

  /** Runs `create` if the connection may bring one more account. Returns null if not, or if `create` does. */
  private async withRoom<T>(remoteId: string, create: () => Promise<T | null>): Promise<T | null> {
    if (this.unitOfWork.changes.isShared) return this.withRoomLocked(remoteId, create);
    const stored = this.taken.get(remoteId) ?? (await this.remoteUsers.count(remoteId));
    const taken = this.taken.get(remoteId) ?? stored; // another call may have updated the count in the meantime
    if (taken >= this.settings.maxUsersPerConnection) return this.full(remoteId, taken);
    this.taken.set(remoteId, taken + 1);
    let created: T | null = null;
    try {
      return (created = await create());
    } finally {
      if (created === null) this.taken.set(remoteId, (this.taken.get(remoteId) ?? 1) - 1);
    }
  }

  /** Like `withRoom`, for several processes: takes a lock and counts in the database. */
  private withRoomLocked<T>(remoteId: string, create: () => Promise<T | null>): Promise<T | null> {
    return this.unitOfWork.run(async () => {
      await this.clusters.lockLive(remoteId);
      const taken = await this.remoteUsers.count(remoteId);
      return taken < this.settings.maxUsersPerConnection ? create() : this.full(remoteId, taken);
    });
  }

  private full(remoteId: string, taken: number): null {
    if (!this.told.has(remoteId))
      this.logger.warn(
        `The connection ${remoteId} has created ${taken} accounts, the maximum of USERS_PER_CONNECTION; more are refused.`,
      );
    this.told.add(remoteId);
    return null;
  }

  private async update(known: User, { remoteId }: Peer, account: RemoteAccount): Promise<User> {
    const profile = profileOf(account);
    const isSame =
      known.remoteId === remoteId &&
      known.nickname === profile.nickname &&
      known.firstName === profile.firstName &&
      known.lastName === profile.lastName &&
      known.position === profile.position &&
      profile.deleteAt === deactivatedThereAt(known) &&
      (known.isDeactivatedHere || profile.deleteAt === known.deleteAt) &&
      known.props['RemoteUsername'] === account.username;
    if (isSame) return known;
    const { [REMOTE_DELETE_AT]: _before, ...props } = known.props;
    return this.remoteUsers.update(known, {
      ...profile,
      props: { ...props, ...originOf(account) },
      remoteId,
    });
  }
}

function originOf({ username, email, deleteAt }: RemoteAccount) {
  return {
    RemoteUsername: username,
    RemoteEmail: email,
    ...(deleteAt === 0 ? {} : { [REMOTE_DELETE_AT]: String(deleteAt) }),
  };
}

function profileOf(account: RemoteAccount): Omit<RemoteProfile, 'props'> {
  return {
    nickname: sliceRunes(visible(account.nickname), 0, MAX_NAME_RUNES),
    firstName: sliceRunes(visible(account.firstName), 0, MAX_NAME_RUNES),
    lastName: sliceRunes(visible(account.lastName), 0, MAX_NAME_RUNES),
    position: sliceRunes(visible(account.position), 0, MAX_POSITION_RUNES),
    deleteAt: account.deleteAt,
  };
}

/** The suffix that distinguishes users of the same name: none, then a number, finally part of the id. */
function markOf(id: string, attempt: number): string {
  if (attempt === 1) return '';
  return attempt < MAX_ATTEMPTS ? `-${attempt}` : `-${id.slice(0, ID_PART_LENGTH).toLowerCase()}`;
}

/** `anna:branch`, then `anna-2:branch`. A long name is cut before the suffix. */
function usernameOf(username: string, source: string, mark: string): string {
  const suffix = `${mark}:${source.slice(0, MAX_SUFFIX_LENGTH)}`;
  let base = username.toLowerCase();
  const room = Math.max(1, MAX_USERNAME_BYTES - byteLength(suffix));
  while (byteLength(base) > room) base = base.slice(0, -1);
  return sliceRunes(`${base}${suffix}`, 0, MAX_USERNAME_BYTES);
}
