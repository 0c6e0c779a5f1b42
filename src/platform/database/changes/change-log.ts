import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { stackOf } from '../../common/errors/stack-of.js';
import type { JsonObject } from '../../common/json.js';
import type { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import type { Sequence } from '../../common/sequence.js';
import { PeriodicTask } from '../periodic-task.js';
import { ChangeRow } from './change.entity.js';

/** A change to announce to other processes: ids and facts, by topic. */
export interface Change {
  readonly topic: string;
  readonly body: JsonObject;
}

/** Changes that are stored in an open transaction. */
export interface StoredChanges {
  /** Call it after the commit: notifies the others at once. Never throws. */
  readonly committed: () => Promise<void>;
}

/** Handles the changes of one topic that other processes have committed. Must not throw or block. */
export type ChangeHandler = (body: JsonObject) => void;

const TRY_EVERY_MS = 250;

const LOSSES = {
  changes: 'Changes of other processes could not be read for minutes.',
  commit: 'The reply to a commit was lost, so it may have succeeded.',
} as const;

/** What may have been missed: changes of other processes, or the outcome of a commit of this one. */
type Loss = keyof typeof LOSSES;

type LossHandler = (loss: Loss) => void;

/**
 * Announces changes between the processes that share a database, so that none trusts in-memory data older
 * than a second (docs/architecture.md#changes-by-other-processes). `store` stores them atomically with
 * the change itself; `append` stores them afterwards. This class is the change log of a process with exclusive
 * access to its database, which has nothing to announce or read.
 */
export class ChangeLog implements OnApplicationShutdown {
  private readonly lossHandlers: LossHandler[] = [];
  /** Commits with an unknown outcome. They are settled once a statement sent after them is stored. */
  private uncertain = 0;
  private readonly settling = new PeriodicTask('ChangeLog', 'Lost commits cannot be settled.', () =>
    this.settle(),
  );

  /** `storeMark` stores a row, which shows that the database has processed everything sent before. */
  constructor(private readonly storeMark: () => Promise<void>) {}

  get isShared(): boolean {
    return false;
  }

  /** Calls the only handler of a topic with changes of others; with `recently`, also with those of the last minute. */
  on(_topic: string, _handler: ChangeHandler, _since?: 'now' | 'recently'): void {}

  /** Resolves once the changes this process was notified of are read. Never throws. */
  async caughtUp(): Promise<void> {}

  /** Numbers and stores changes. Call it last in the transaction that makes them. */
  store(_manager: EntityManager, _changes: readonly Change[]): Promise<StoredChanges> {
    return Promise.resolve({ committed: () => Promise.resolve() });
  }

  /** Writes a change that is already committed. Never throws. */
  append(_change: Change): void {}

  /** Changes older than a second may be unknown here, so in-memory data must not be trusted. */
  get isBehind(): boolean {
    return this.uncertain > 0;
  }

  /** Calls `handler` when in-memory data must be reloaded, because changes or a commit may have been missed. */
  onLost(handler: LossHandler): void {
    this.lossHandlers.push(handler);
  }

  /** Call it when the outcome of a commit is unknown: its after-commit actions did not run. */
  commitUncertain(): void {
    if (this.uncertain++ === 0) this.settling.start(TRY_EVERY_MS);
  }

  onApplicationShutdown(): void | Promise<void> {
    void this.settling.stop();
  }

  private async settle(): Promise<void> {
    const known = this.uncertain;
    await this.storeMark();
    this.uncertain -= known;
    if (this.uncertain > 0) return;
    this.settling.rest();
    this.reportLoss('commit');
  }

  protected reportLoss(loss: Loss): void {
    const logger = new Logger('ChangeLog');
    logger.warn(`${LOSSES[loss]} Caches are dropped.`);
    for (const handler of this.lossHandlers) {
      try {
        handler(loss);
      } catch (error) {
        logger.error('The caches could not be dropped after lost changes.', stackOf(error));
      }
    }
  }
}

/** Stores and deletes a mark. It must be a real row: a statement that changes none is not flushed. */
export async function storeMark(dataSource: DataSource, clock: Clock, sequence: Sequence): Promise<void> {
  const seq = sequence.next(clock.now());
  const mark = { seq, origin: newId(), topic: 'mark', body: {} };
  await dataSource.getRepository(ChangeRow).insert(mark);
  await dataSource.getRepository(ChangeRow).delete({ seq });
}
