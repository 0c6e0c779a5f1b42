import { Injectable, Logger } from '@nestjs/common';
import { RemoteUsersService } from '../../messaging/users/remote-users.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { SharedChannelsSettings } from '../shared-channels.settings.js';

/** Counts the accounts that came over each connection, so that no peer fills this server with people. */
@Injectable()
export class AccountRoom {
  private readonly logger = new Logger(AccountRoom.name);
  /** Read once from the database for each connection, then counted here; read each time where other processes count too. */
  private readonly taken = new Map<string, number>();
  private readonly told = new Set<string>();

  constructor(
    private readonly users: RemoteUsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: SharedChannelsSettings,
  ) {}

  /** Runs `create` if the connection may bring one more account; null if it may not, or if `create` returns null. */
  async use<T>(remoteId: string, create: () => Promise<T | null>): Promise<T | null> {
    const taken = await this.count(remoteId);
    if (taken >= this.settings.maxUsersPerConnection) return this.full(remoteId, taken);
    this.taken.set(remoteId, taken + 1);
    let created: T | null = null;
    try {
      return (created = await create());
    } finally {
      if (created === null) this.taken.set(remoteId, (this.taken.get(remoteId) ?? 1) - 1);
    }
  }

  private async count(remoteId: string): Promise<number> {
    const { isShared } = this.unitOfWork.changes;
    const stored = (isShared ? undefined : this.taken.get(remoteId)) ?? (await this.users.count(remoteId));
    return isShared ? stored : (this.taken.get(remoteId) ?? stored); // another call may have counted meanwhile
  }

  private full(remoteId: string, taken: number): null {
    if (!this.told.has(remoteId))
      this.logger.warn(
        `The connection ${remoteId} has brought ${taken} accounts, as many as USERS_PER_CONNECTION allows; more are refused.`,
      );
    this.told.add(remoteId);
    return null;
  }
}
