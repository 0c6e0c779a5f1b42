import { Injectable, Logger } from '@nestjs/common';
import { RemoteUsersService } from '../../messaging/users/remote-users.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { RemoteClusterRecords } from '../../remote-cluster/remote-cluster-records.js';
import { SharedChannelsSettings } from '../shared-channels.settings.js';

/** Counts the accounts that came over each connection, so that no peer fills this server with people. */
@Injectable()
export class AccountRoom {
  private readonly logger = new Logger(AccountRoom.name);
  /** Read once from the database for each connection, then counted here. */
  private readonly taken = new Map<string, number>();
  private readonly told = new Set<string>();

  constructor(
    private readonly users: RemoteUsersService,
    private readonly settings: SharedChannelsSettings,
    private readonly clusters: RemoteClusterRecords,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Runs `create` if the connection may bring one more account; null if it may not, or if `create` returns null. */
  async use<T>(remoteId: string, create: () => Promise<T | null>): Promise<T | null> {
    if (this.unitOfWork.changes.isShared) return this.useLocked(remoteId, create);
    const stored = this.taken.get(remoteId) ?? (await this.users.count(remoteId));
    const taken = this.taken.get(remoteId) ?? stored; // another call may have counted meanwhile
    if (taken >= this.settings.maxUsersPerConnection) return this.full(remoteId, taken);
    this.taken.set(remoteId, taken + 1);
    let created: T | null = null;
    try {
      return (created = await create());
    } finally {
      if (created === null) this.taken.set(remoteId, (this.taken.get(remoteId) ?? 1) - 1);
    }
  }

  /** The same beside other processes: they wait for each other, and count in the database. */
  private useLocked<T>(remoteId: string, create: () => Promise<T | null>): Promise<T | null> {
    return this.unitOfWork.run(async () => {
      await this.clusters.lockLive(remoteId);
      const taken = await this.users.count(remoteId);
      return taken < this.settings.maxUsersPerConnection ? create() : this.full(remoteId, taken);
    });
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
