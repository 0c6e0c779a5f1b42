import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { UserCreated, UserUpdated } from './users.events.js';
import { newUser } from './user-rules.js';
import type { User } from './user.entity.js';
import { userNotFound } from './users.errors.js';
import { UsersRepository } from './users.repository.js';

/** An account of another server; `remoteId` is the connection it was received from. */
export type NewRemoteUser = Pick<User, 'id' | 'username' | 'email' | 'locale' | 'remoteId'> & RemoteProfile;

/** The fields that an account's home server can change. `deleteAt` is when it was deactivated there, or 0. */
export type RemoteProfile = Pick<
  User,
  'nickname' | 'firstName' | 'lastName' | 'position' | 'props' | 'deleteAt'
>;

/** The prop that stores when an account's home server deactivated it. */
export const REMOTE_DELETE_AT = 'RemoteDeleteAt';

/** When an account's home server deactivated it; 0 while it is active there, and for local accounts. */
export function deactivatedThereAt({ props }: Pick<User, 'props'>): number {
  return Number(props[REMOTE_DELETE_AT] ?? 0);
}

/** Stores accounts from other servers. They keep their ids and cannot sign in here. */
@Injectable()
export class RemoteUsersService {
  constructor(
    private readonly repository: UsersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  count(remoteId: string): Promise<number> {
    return this.repository.countOfConnection(remoteId);
  }

  /** Null if the id, username or e-mail address is taken. */
  async create(account: NewRemoteUser): Promise<User | null> {
    const user = newUser(this.clock.now(), { ...account, lastPasswordUpdate: 0 });
    try {
      await this.unitOfWork.run(async () => {
        await this.repository.insert(user);
        await this.events.publish(new UserCreated(user.id));
      });
      return user;
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /** An account deactivated here stays deactivated. */
  async update({ id }: User, profile: RemoteProfile & Pick<User, 'remoteId'>): Promise<User> {
    return this.unitOfWork.run(async () => {
      const user = await this.repository.findForUpdate(id);
      if (!user) throw userNotFound();
      const deleteAt = user.isDeactivatedHere ? user.deleteAt : profile.deleteAt;
      const change = { ...profile, deleteAt, updateAt: this.clock.now() };
      await this.repository.update(id, change);
      await this.events.publish(new UserUpdated(id));
      return { ...user, ...change };
    });
  }
}
