import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { sizeOfStatements, type Statement } from '../statement.js';
import { Transactions } from '../transactions.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { Batch, CommitKind, Step } from './commit-kind.js';
import { CommitQueue } from './commit-queue.js';
import { StatementConnection } from './statement-connection.js';
import { executeSteps, statementsOf } from './steps.js';

/** What goes to the database in one trip stays well below what it takes at once. */
const MAX_TRIP_BYTES = 8 * 1024 * 1024;

/**
 * Writes whose statements are known beforehand, by group commit: requests that arrive together share one commit. Work
 * that must read before it knows what to write is a unit of work instead.
 *
 * Each kind of requests has a queue and a commit of its own, so that no kind waits for what holds up another: posts may
 * wait for the row of their channel that an open unit of work holds, while outcomes of deliveries do not touch it; and
 * what one kind cannot store never fails the requests of another. Sharing one commit among all kinds was measured too
 * (messages that trigger webhooks, 16 connections): on MySQL it took about half of the throughput away, since commits
 * of several connections run side by side there; on SQLite, which takes them in turn, it made no difference.
 */
@Injectable()
export class CommitEngine implements OnApplicationShutdown {
  private readonly queues: Pick<CommitQueue<never, unknown>, 'idle'>[] = [];
  private readonly connections: StatementConnection[] = [];
  private readonly mutations: CommitQueue<readonly Statement[], readonly number[]>;

  constructor(
    private readonly transactions: Transactions,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {
    this.mutations = this.open({ name: 'small changes', sizeOf: sizeOfStatements, prepare: together });
  }

  /** A queue for requests of one kind; once for each kind. */
  open<Request, Result>(kind: CommitKind<Request, Result>): CommitQueue<Request, Result> {
    const { databaseUrl } = this.settings;
    const connection = databaseUrl === undefined ? undefined : new StatementConnection(databaseUrl);
    if (connection) this.connections.push(connection);
    const queue = new CommitQueue(kind, (steps) => this.commit(steps, connection), this.unitOfWork);
    this.queues.push(queue);
    return queue;
  }

  /** Stores a small change, all statements or none; gives the number of rows that each has changed. */
  run(...statements: Statement[]): Promise<readonly number[]> {
    return this.mutations.submit(statements);
  }

  /** Lets the commits that are due finish. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.idle()));
    await Promise.all(this.connections.map((connection) => connection.close()));
  }

  private commit(steps: readonly Step[], connection?: StatementConnection): Promise<readonly number[]> {
    const statements = connection && statementsOf(steps);
    return statements && sizeOfStatements(statements) <= MAX_TRIP_BYTES
      ? this.transactions.attempt((onSending) => connection.run(statements, onSending))
      : this.transactions.run((manager) => executeSteps(manager, steps));
  }
}

function together(changes: readonly (readonly Statement[])[]): Batch<readonly number[]> {
  return {
    steps: changes.flat(),
    results: (affected) => {
      let start = 0;
      return changes.map(({ length }) => affected.slice(start, (start += length)));
    },
  };
}
