import { Injectable } from '@nestjs/common';
import {
  deactivatedThereAt,
  REMOTE_DELETE_AT,
  type RemoteProfile,
  RemoteUsersService,
} from '../../messaging/users/remote-users.service.js';
import type { User } from '../../messaging/users/user.entity.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import { byteLength, sliceRunes } from '../../platform/common/utf8.js';
import { visible } from '../../platform/common/visible.js';
import { AccountRoom } from './account-room.js';
import { aliasOf } from './alias.js';

const MAX_USERNAME_BYTES = 64;
const MAX_NAME_RUNES = 64;
const MAX_POSITION_RUNES = 128;
/** Each costs a transaction, so a peer whose people all have one name must not need many. */
const MAX_ATTEMPTS = 6;
/** Of an id in the name of the last attempt. */
const ID_PART_LENGTH = 12;
/** Of the connection's name in a username. */
const MAX_SUFFIX_LENGTH = 32;

/** An account of another server, as that server describes it. */
export interface RemoteAccount {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly nickname: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly position: string;
  readonly locale: string;
  readonly deleteAt: number;
}

/** The connection over which an account comes. `name` becomes a suffix of its username. */
export interface AccountSource {
  readonly remoteId: string;
  readonly siteUrl: string;
  readonly name: string;
  /** Whether this connection replaces a deleted one to the same server, and so owns what came over it. */
  readonly hasReplaced: (remoteId: string) => Promise<boolean>;
}

/**
 * Stores accounts of other servers under names such as `anna:branch`. They keep their ids if possible, and nobody can
 * sign in with them here.
 */
@Injectable()
export class SyncedAccounts {
  constructor(
    private readonly users: UserRecords,
    private readonly remoteUsers: RemoteUsersService,
    private readonly room: AccountRoom,
  ) {}

  /**
   * Creates or updates an account. Returns null if its id belongs to another account, no username is free, or the
   * connection may bring no more.
   */
  async save(source: AccountSource, account: RemoteAccount): Promise<User | null> {
    const known = await this.find(source, account.id);
    if (known) return this.update(known, source, account);
    return this.room.use(source.remoteId, () => this.create(source, account));
  }

  /**
   * Finds an account by its id at the source. It may have another id here, because the same person came from a third
   * server before or another account has the id.
   */
  async find(source: AccountSource, id: string): Promise<User | null> {
    for (const localId of [id, aliasOf(source, id)]) {
      const user = await this.users.find(localId);
      if (user && (await this.isOf(user, source))) return user;
    }
    return null;
  }

  private async create(source: AccountSource, account: RemoteAccount): Promise<User | null> {
    const isTaken = (await this.users.find(account.id)) !== null;
    const id = isTaken ? aliasOf(source, account.id) : account.id;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const user = await this.remoteUsers.create({
        id,
        username: usernameOf(account.username, source.name, markOf(id, attempt)),
        email: `${id}@${source.remoteId}.remote.invalid`, // an account here may have the real one
        locale: account.locale,
        remoteId: source.remoteId,
        ...profileOf(account),
        props: originOf(account),
      });
      if (user) return user;
      const winner = await this.users.find(id);
      if (winner) return (await this.isOf(winner, source)) ? winner : null;
    }
    return null;
  }

  private async isOf({ remoteId }: User, source: AccountSource): Promise<boolean> {
    return remoteId === source.remoteId || (remoteId !== '' && (await source.hasReplaced(remoteId)));
  }

  private async update(known: User, { remoteId }: AccountSource, account: RemoteAccount): Promise<User> {
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

/** What is stored of the original account. */
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

/** What tells people of one name apart: nothing for the first, then a number, and in the end a part of the id. */
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
