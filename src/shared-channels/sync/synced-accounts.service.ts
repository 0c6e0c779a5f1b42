import { Injectable } from '@nestjs/common';
import { type RemoteProfile, RemoteUsersService } from '../../messaging/users/remote-users.service.js';
import type { User } from '../../messaging/users/user.entity.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import { idOf } from '../../platform/common/ids.js';
import { byteLength, sliceRunes } from '../../platform/common/utf8.js';

const MAX_USERNAME_BYTES = 64;
const MAX_NAME_RUNES = 64;
const MAX_POSITION_RUNES = 128;
const MAX_SPELLINGS = 20;
/** Of the name of the connection in a username. */
const MAX_MARK_LENGTH = 32;

/** An account of another server, as that server tells of it. */
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

/** The connection an account comes over: its id, where its server is, and the short name that marks its accounts. */
export interface AccountSource {
  readonly remoteId: string;
  readonly siteUrl: string;
  readonly name: string;
  /** Whether another connection was an earlier one to the same server: what came over it may come over this one. */
  readonly hasReplaced: (remoteId: string) => Promise<boolean>;
}

/**
 * Accounts of other servers, under names such as `anna:branch`. They keep the id they have there, and nobody can sign
 * in with them here.
 */
@Injectable()
export class SyncedAccounts {
  constructor(
    private readonly users: UserRecords,
    private readonly remoteUsers: RemoteUsersService,
  ) {}

  /** Stores an account, or what has changed in it. Null when its id belongs to somebody else, or no name is free. */
  async save(source: AccountSource, account: RemoteAccount): Promise<User | null> {
    const known = await this.find(source, account.id);
    if (known) return this.update(known, source, account);
    const isTaken = (await this.users.find(account.id)) !== null;
    const id = isTaken ? aliasOf(source, account.id) : account.id;
    for (let spelling = 1; spelling <= MAX_SPELLINGS; spelling++) {
      const user = await this.remoteUsers.create({
        id,
        username: usernameOf(account.username, source.name, spelling),
        email: `${id}@${source.remoteId}.remote.invalid`, // the real one may be that of an account here
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

  /**
   * The account that has this id at the source. Here it may have another one: when the same person came over a third
   * server first, or the id belongs to somebody else.
   */
  async find(source: AccountSource, id: string): Promise<User | null> {
    for (const place of [id, aliasOf(source, id)]) {
      const user = await this.users.find(place);
      if (user && (await this.isOf(user, source))) return user;
    }
    return null;
  }

  private async isOf({ remoteId }: User, source: AccountSource): Promise<boolean> {
    return remoteId === source.remoteId || (remoteId !== '' && (await source.hasReplaced(remoteId)));
  }

  private async update(known: User, { remoteId }: AccountSource, account: RemoteAccount): Promise<User> {
    const profile = profileOf(account);
    const deletedBefore = Number(known.props['RemoteDeleteAt'] ?? 0);
    const isSame =
      known.remoteId === remoteId &&
      known.nickname === profile.nickname &&
      known.firstName === profile.firstName &&
      known.lastName === profile.lastName &&
      known.position === profile.position &&
      profile.deleteAt === deletedBefore &&
      known.props['RemoteUsername'] === account.username;
    if (isSame) return known;
    return this.remoteUsers.update(known, {
      ...profile,
      // An account that was deactivated here stays so, until its own server changes its mind.
      deleteAt: profile.deleteAt === deletedBefore ? known.deleteAt : profile.deleteAt,
      props: { ...known.props, ...originOf(account) },
      remoteId,
    });
  }
}

/** What is kept of an account as it is there. */
function originOf({ username, email, deleteAt }: RemoteAccount) {
  return {
    RemoteUsername: username,
    RemoteEmail: email,
    ...(deleteAt === 0 ? {} : { RemoteDeleteAt: String(deleteAt) }),
  };
}

/** The same for all connections to one server. */
function aliasOf({ siteUrl }: AccountSource, id: string): string {
  return idOf(`${siteUrl} ${id}`);
}

function profileOf(account: RemoteAccount): Omit<RemoteProfile, 'props'> {
  return {
    nickname: sliceRunes(account.nickname, 0, MAX_NAME_RUNES),
    firstName: sliceRunes(account.firstName, 0, MAX_NAME_RUNES),
    lastName: sliceRunes(account.lastName, 0, MAX_NAME_RUNES),
    position: sliceRunes(account.position, 0, MAX_POSITION_RUNES),
    deleteAt: account.deleteAt,
  };
}

/** `anna:branch`, then `anna-2:branch`; cut so that the mark of its origin stays. */
function usernameOf(username: string, source: string, spelling: number): string {
  const mark = `${spelling === 1 ? '' : `-${spelling}`}:${source.slice(0, MAX_MARK_LENGTH)}`;
  let base = username.toLowerCase();
  const room = Math.max(1, MAX_USERNAME_BYTES - byteLength(mark));
  while (byteLength(base) > room) base = base.slice(0, -1);
  return sliceRunes(`${base}${mark}`, 0, MAX_USERNAME_BYTES);
}
