import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { joinInserts, sizeOfStatements, type Statement } from '../statement.js';
import { Transactions } from '../transactions.js';
import { UnitOfWork } from '../unit-of-work.js';
import { type Batch, type CommitKind, executeSteps, statementsOf, type Step } from './commit-kind.js';
import { CommitQueue } from './commit-queue.js';
import { StatementConnection } from './statement-connection.js';

/** Well below the maximum packet size of MySQL. */
const MAX_TRIP_BYTES = 8 * 1024 * 1024;

/**
 * Group commit for writes whose statements are known in advance: requests that arrive together share one commit. Use a
 * unit of work for changes that must read before they know what to write.
 *
 * Each kind of request has its own queue and its own commit, so that one kind never delays or fails another: posts may
 * wait for a channel row that an open unit of work has locked, while outcomes of deliveries do not touch that row.
 * Sharing one commit among all kinds was measured too (messages that trigger webhooks, 16 connections): on MySQL it
 * halved the throughput, since commits on several connections run in parallel there; on SQLite, which serializes
 * commits, it made no difference.
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
    this.mutations = this.openChanges('small changes');
  }

  /** Opens the queue for one kind of request. Call it once per kind. */
  open<Request, Result>(kind: CommitKind<Request, Result>): CommitQueue<Request, Result> {
    const { databaseUrl } = this.settings;
    const connection = databaseUrl === undefined ? undefined : new StatementConnection(databaseUrl);
    if (connection) this.connections.push(connection);
    const queue = new CommitQueue(kind, (steps) => this.commit(steps, connection), this.unitOfWork);
    this.queues.push(queue);
    return queue;
  }

  /** Opens a queue for changes that must not delay others. Resolves to the row count of each statement. */
  openChanges(name: string): CommitQueue<readonly Statement[], readonly number[]> {
    return this.open({ name, sizeOf: sizeOfStatements, prepare: concatenate });
  }

  /** Runs a small change atomically. Returns the number of rows that each statement changed. */
  run(...statements: Statement[]): Promise<readonly number[]> {
    return this.mutations.submit(statements);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.idle()));
    await Promise.all(this.connections.map((connection) => connection.close()));
  }

  private commit(steps: readonly Step[], connection?: StatementConnection): Promise<readonly number[]> {
    const statements = connection && statementsOf(steps);
    if (!statements || sizeOfStatements(statements) > MAX_TRIP_BYTES)
      return this.transactions.run((manager) => executeSteps(manager, steps));
    const joined = joinInserts(statements);
    return this.transactions
      .attempt((onSending) => connection.run(joined.statements, onSending))
      .then(joined.affectedByEach);
  }
}

function concatenate(changes: readonly (readonly Statement[])[]): Batch<readonly number[]> {
  return {
    steps: changes.flat(),
    results: (affected) => {
      let start = 0;
      return changes.map(({ length }) => affected.slice(start, (start += length)));
    },
  };
}
