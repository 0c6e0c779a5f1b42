import { hash } from 'node:crypto';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../common/clock.js';
import type { Page } from '../common/dto/params.js';
import { InvalidUrlParam } from '../common/errors/common-errors.js';
import { newId } from '../common/ids.js';
import type { AuditFilter } from './audit.dto.js';
import { AuditSettings } from './audit.settings.js';
import { CommitEngine } from '../database/commits/commit-engine.js';
import type { CommitQueue } from '../database/commits/commit-queue.js';
import { isDatabaseUnavailable, isDuplicateKey } from '../database/database-errors.js';
import { PeriodicTask } from '../database/periodic-task.js';
import { Purge } from '../database/purge.js';
import type { Statement } from '../database/statement.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { AuditedChange, type Subject } from './audited-change.js';
import type { Audit } from './audit.entity.js';
import { AuditLists } from './audit-lists.read-model.js';
import { AuditRepository } from './audit.repository.js';
import { RepeatedRefusals } from './repeated-refusals.js';

/** One entry of the audit log. */
export interface AuditEntry {
  readonly userId: string;
  readonly action: string;
  readonly target: string;
  readonly status: number;
  readonly errorId: string;
  readonly requestId: string;
  readonly address: string;
  /** A JSON object, or empty. */
  readonly parameters?: string;
  /** A JSON object, or empty. */
  readonly affected?: string;
}

const HASH_LENGTH = 12;
const MAX_WAITING = 10_000;
const RETRY_MS = 1_000;

/** A short hash that replaces a secret in logs, audit rows and metrics. */
export function secretHash(secret: string): string {
  return `sha256:${hash('sha256', secret, 'hex').slice(0, HASH_LENGTH)}`;
}

/**
 * The audit log. The row of a change is stored with the change. Other requests must not fail because of their
 * row: in an outage it waits in memory, and a row that can never be stored is logged in full.
 */
@Injectable()
export class AuditService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AuditService.name);
  private readonly commits: CommitQueue<Audit, void>;
  private readonly sharedCommits: CommitQueue<Audit, void>;
  /** Rows not stored yet because of an outage. */
  private waiting: Audit[] = [];
  private readonly retries = new PeriodicTask(AuditService.name, 'Audit rows cannot be stored.', async () => {
    await this.flush();
    await this.storeRefusals();
  });

  constructor(
    private readonly repository: AuditRepository,
    private readonly lists: AuditLists,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly refusals: RepeatedRefusals,
    engine: CommitEngine,
    settings: AuditSettings,
    purge: Purge,
  ) {
    purge.register({
      rows: 'audit rows',
      retentionMs: () => settings.auditRetentionMs,
      deleteBefore: (time, limit) => repository.deleteBefore(time, limit),
    });
    this.commits = engine.open({
      name: 'audit rows',
      isQuiet: true,
      prepare: (rows) => ({ steps: this.repository.insertStatements(rows) }),
    });
    this.sharedCommits = engine.open({
      name: 'audit rows of refused calls',
      isQuiet: true,
      prepare: (rows) => ({ steps: [(manager) => this.repository.addRepeats(manager, rows)] }),
    });
  }

  /** Stores an entry. In an open unit of work it joins that and can fail it; otherwise never throws. */
  async record(entry: AuditEntry): Promise<void> {
    const row = this.rowOf(entry);
    if (this.unitOfWork.isOpen) await this.commits.submit(row);
    else await this.store(row);
  }

  /** Like `record`, for a refused call. Of each caller, ten a minute get their own row, and one more counts the rest. */
  async recordRefusal(caller: string, entry: AuditEntry): Promise<void> {
    const taken = this.refusals.take(caller, this.rowOf(entry));
    if (taken) await (taken.isShared ? this.storeShared(taken.row) : this.store(taken.row));
    else if (this.refusals.size >= MAX_WAITING) await this.storeRefusals();
  }

  statements(entry: AuditEntry): Statement[] {
    return this.repository.insertStatements([this.rowOf(entry)]);
  }

  /** Names the record that the request changes, in or before the unit of work of the change. The first call counts. */
  concerns(subject: Subject): void {
    const { contribution } = this.unitOfWork;
    if (contribution instanceof AuditedChange) contribution.subject ??= subject;
  }

  /** Newest first. Throws InvalidUrlParam. */
  async list(filter: AuditFilter, { offset, perPage }: Page): Promise<Audit[]> {
    await this.storeRefusals();
    if (filter.after === undefined) return this.lists.listNewestFirst(filter, undefined, offset, perPage);
    const after = await this.lists.findPlace(filter.after, filter);
    if (!after) throw new InvalidUrlParam('after', 'the row does not exist or was deleted');
    return this.lists.listNewestFirst(filter, after, 0, perPage);
  }

  onApplicationBootstrap(): void {
    this.retries.start(RETRY_MS);
  }

  /** Retries waiting rows once, and logs those that still fail. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.retries.stop();
    await this.flush();
    await this.storeRefusals();
    for (const row of [...this.waiting.splice(0), ...this.refusals.drain()])
      this.giveUp(row, new Error('the server is stopping'));
  }

  private rowOf(entry: AuditEntry): Audit {
    return {
      id: newId(),
      createAt: this.clock.now(),
      result: entry.status < 400 ? 'success' : 'fail',
      parameters: '',
      affected: '',
      repeats: 0,
      ...entry,
      target: entry.target.slice(0, 128),
      address: entry.address.slice(0, 64),
    };
  }

  private async store(row: Audit): Promise<void> {
    try {
      await this.commits.submit(row);
    } catch (error) {
      if (isDatabaseUnavailable(error)) this.keep(row);
      else this.giveUp(row, error);
    }
  }

  private async storeShared(row: Audit): Promise<void> {
    try {
      await this.sharedCommits.submit(row);
    } catch (error) {
      if (isDatabaseUnavailable(error) && this.refusals.size < MAX_WAITING) this.refusals.keep(row);
      else this.giveUp(row, error);
    }
  }

  private async storeRefusals(): Promise<void> {
    await Promise.all(this.refusals.drain().map((row) => this.storeShared(row)));
  }

  private keep(row: Audit): void {
    if (this.waiting.length >= MAX_WAITING) return this.giveUp(row, new Error('too many rows are waiting'));
    this.waiting.push(row);
  }

  /** Stores the waiting rows; those that fail again because of the outage keep waiting. */
  private async flush(): Promise<void> {
    const rows = this.waiting;
    this.waiting = [];
    await Promise.all(rows.map((row) => this.store(row)));
  }

  private giveUp(row: Audit, error: unknown): void {
    if (isDuplicateKey(error)) return; // an earlier attempt stored it, and only the reply was lost
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.error(`This audit row could not be stored (${reason}): ${JSON.stringify(row)}`);
  }
}
