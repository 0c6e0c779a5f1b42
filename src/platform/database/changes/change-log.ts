import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { stackOf } from '../../common/errors/stack-of.js';
import type { JsonObject } from '../../common/json.js';
import type { Statement } from '../statement.js';
import { Doubts } from './doubts.js';

/** What the other processes must hear of a change: ids and facts, by topic. */
export interface Change {
  readonly topic: string;
  readonly body: JsonObject;
}

/** Changes with the numbers under which they are written. */
export interface NumberedChanges {
  /** Write them in the transaction that makes the changes. */
  readonly statements: readonly Statement[];
  /** Call it when they are committed: lets the others look at once. Never throws. */
  readonly committed: () => Promise<void>;
}

/** Takes the changes of one topic that other processes have committed. Must not throw and not wait. */
export type ChangeHandler = (body: JsonObject) => void;

const LOSSES = {
  changes: 'Changes of other processes could not be read for minutes.',
  commit: 'The answer to a commit was lost, so it may have succeeded.',
} as const;

/** What may never be heard of: changes of other processes, or whether a commit of this one has succeeded. */
export type Loss = keyof typeof LOSSES;

/** Makes up for a loss. Must not throw and not wait. */
export type LossHandler = (loss: Loss) => void;

/**
 * Tells the processes that serve one database what the others have changed, so that they trust nothing in memory that is
 * older than a second (docs/architecture.md#changes-by-other-processes). What is `numbered` is stored with the
 * change, so neither exists without the other; what `append` takes follows it.
 */
export abstract class ChangeLog implements OnApplicationShutdown {
  private readonly lossHandlers: LossHandler[] = [];
  private readonly doubts: Doubts;

  /** `storeMark` stores something, and so shows that the database has done what it was sent before. */
  constructor(storeMark: () => Promise<void>) {
    this.doubts = new Doubts(storeMark, () => this.reportLoss('commit'));
  }

  /** Whether other processes can change the database. */
  abstract readonly isShared: boolean;
  /**
   * Calls `handler` with the changes of other processes from now on; with `since: 'recently'` at the start with those of the
   * last minute as well. One handler for each topic.
   */
  abstract on(topic: string, handler: ChangeHandler, since?: 'now' | 'recently'): void;
  /** Resolves when the changes are read that this process has been let know of. Never throws. */
  abstract caughtUp(): Promise<void>;
  /** Gives changes the numbers under which they are written, last in the transaction that makes them. */
  abstract numbered(changes: readonly Change[]): NumberedChanges;
  /** Writes changes that are committed already. Never throws. */
  abstract append(change: Change): void;

  /** Changes of more than a second ago may be unknown here: what is in memory must not be trusted. */
  get isBehind(): boolean {
    return this.doubts.areOpen;
  }

  /**
   * Calls `handler` when changes may never be heard of, because the process was stopped or cut off for minutes, or does not
   * know whether a commit of its own has succeeded: whatever is in memory must be read anew. It must not throw and not wait.
   */
  onLost(handler: LossHandler): void {
    this.lossHandlers.push(handler);
  }

  /** Call it when nobody knows whether a commit has succeeded: nothing that follows a commit was done for it. */
  doubt(): void {
    this.doubts.add();
  }

  onApplicationShutdown(): void | Promise<void> {
    this.doubts.stop();
  }

  protected reportLoss(loss: Loss): void {
    const logger = new Logger('ChangeLog');
    logger.warn(`${LOSSES[loss]} What is in memory is read anew.`);
    for (const handler of this.lossHandlers) {
      try {
        handler(loss);
      } catch (error) {
        logger.error('Lost changes could not be made up for.', stackOf(error));
      }
    }
  }
}
