import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { EventBus } from '../../../platform/common/events/event-bus.js';
import { idOf } from '../../../platform/common/ids.js';
import { byteLength, sliceRunes } from '../../../platform/common/utf8.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { UserCreated } from '../events/user-created.event.js';
import { UserUpdated } from '../events/user-updated.event.js';
import { UserDirectory } from '../user-directory.js';
import { DEFAULT_NOTIFY_PROPS, DEFAULT_TIMEZONE, supportedLocale } from '../user-rules.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';

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
export class RemoteAccountsService {
  constructor(
    private readonly repository: UsersRepository,
    private readonly directory: UserDirectory,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** Stores an account, or what has changed in it. Null when no place for it was found. */
  async save(source: AccountSource, account: RemoteAccount): Promise<User | null> {
    const known = await this.find(source, account.id);
    if (known) return this.update(known, source, account);
    const isTaken = (await this.directory.find(account.id)) !== null;
    const id = isTaken ? aliasOf(source, account.id) : account.id;
    for (let spelling = 1; spelling <= MAX_SPELLINGS; spelling++) {
      const user = this.newUser(source, { ...account, id }, spelling);
      try {
        await this.unitOfWork.run(async () => {
          await this.repository.insert(user);
          this.unitOfWork.afterCommit(() => {
            this.directory.forget(user.id, user.username);
            this.events.announce(new UserCreated(user.id));
          });
        });
        return user;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const winner = await this.repository.findById(id);
        if (winner) return (await this.isOf(winner, source)) ? winner : null;
      }
    }
    return null;
  }

  /**
   * The account that has this id at the source. Here it may have another one: when the same person came over a third
   * server first, or the id belongs to somebody else.
   */
  async find(source: AccountSource, id: string): Promise<User | null> {
    for (const place of [id, aliasOf(source, id)]) {
      const user = await this.directory.find(place);
      if (user && (await this.isOf(user, source))) return user;
    }
    return null;
  }

  private async isOf({ remoteId }: User, source: AccountSource): Promise<boolean> {
    return remoteId === source.remoteId || (remoteId !== '' && (await source.hasReplaced(remoteId)));
  }

  private async update(known: User, { remoteId }: AccountSource, account: RemoteAccount): Promise<User> {
    const { nickname, firstName, lastName, position, ...told } = profileOf(account);
    const toldBefore = Number(known.props['RemoteDeleteAt'] ?? 0);
    // An account that was deactivated here stays so, until its own server changes its mind.
    const deleteAt = told.deleteAt === toldBefore ? known.deleteAt : told.deleteAt;
    const isSame =
      known.remoteId === remoteId &&
      known.nickname === nickname &&
      known.firstName === firstName &&
      known.lastName === lastName &&
      known.position === position &&
      told.deleteAt === toldBefore &&
      known.props['RemoteUsername'] === account.username;
    if (isSame) return known;
    const props = { ...known.props, ...originOf(account) };
    const profile = { nickname, firstName, lastName, position, deleteAt };
    const change = { ...profile, remoteId, props, updateAt: this.clock.now() };
    await this.unitOfWork.run(async () => {
      await this.repository.update(known.id, change);
      this.unitOfWork.afterCommit(() => {
        this.directory.forget(known.id, known.username);
        this.events.announce(new UserUpdated(known.id));
      });
    });
    return { ...known, ...change };
  }

  private newUser({ remoteId, name }: AccountSource, account: RemoteAccount, spelling: number): User {
    const now = this.clock.now();
    return {
      id: account.id,
      createAt: now,
      updateAt: now,
      ...profileOf(account),
      username: usernameOf(account.username, name, spelling),
      passwordHash: '',
      email: `${account.id}@${remoteId}.remote.invalid`, // the real one may be that of an account here
      emailVerified: false,
      roles: 'system_user',
      props: originOf(account),
      notifyProps: DEFAULT_NOTIFY_PROPS,
      timezone: DEFAULT_TIMEZONE,
      locale: supportedLocale(account.locale),
      lastPasswordUpdate: 0,
      failedAttempts: 0,
      lastFailedAt: 0,
      lastLogin: 0,
      remoteId,
    };
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

function profileOf(account: RemoteAccount) {
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
