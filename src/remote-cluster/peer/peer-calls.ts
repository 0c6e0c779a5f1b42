import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { RemoteClustersRepository } from '../remote-clusters.repository.js';

/** Calls of a peer are recorded at most once per interval. */
const NOTED_EACH_MS = 10_000;

/** Records when peers call, in the background: calls neither wait for it nor fail because of it. */
@Injectable()
export class PeerCalls implements BeforeApplicationShutdown {
  private readonly logger = new Logger(PeerCalls.name);
  private readonly notedAt = new Map<string, number>();
  private readonly writes = new Set<Promise<void>>();

  constructor(
    private readonly repository: RemoteClustersRepository,
    private readonly clock: Clock,
  ) {}

  /** Records an authenticated call by the peer of a connection. */
  note({ id }: RemoteCluster): void {
    const now = this.clock.now();
    const before = this.notedAt.get(id) ?? 0;
    if (Math.abs(now - before) < NOTED_EACH_MS) return;
    this.notedAt.set(id, now);
    const write: Promise<void> = this.write(id, now).finally(() => this.writes.delete(write));
    this.writes.add(write);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.writes);
  }

  private async write(id: string, now: number): Promise<void> {
    try {
      await this.repository.noteHeard(id, now);
    } catch (error) {
      this.notedAt.delete(id); // the next call tries again
      if (!isDatabaseUnavailable(error))
        this.logger.error('A call of a peer could not be noted.', stackOf(error));
    }
  }
}
