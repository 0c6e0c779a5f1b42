import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import type { Audit } from './audit.entity.js';
import { AuditRepository } from './audit.repository.js';

/** What happened, in the words of the audit log. */
export interface AuditEntry {
  readonly userId: string;
  readonly action: string;
  readonly target: string;
  readonly status: number;
  readonly errorId: string;
  readonly requestId: string;
  readonly address: string;
}

const HASH_LENGTH = 12;
const OUTAGE_LOG_INTERVAL_MS = 60_000;

/** A short hash that stands for a secret in logs, audit rows and metrics. */
export function secretHash(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, HASH_LENGTH)}`;
}

/** The audit log. A row that cannot be written is logged and fails nobody's call. */
@Injectable()
export class AuditService {
  private readonly logger = new Logger(AuditService.name);
  private lastOutageLog = -Infinity;

  constructor(
    private readonly repository: AuditRepository,
    private readonly clock: Clock,
  ) {}

  async record(entry: AuditEntry): Promise<void> {
    const row: Audit = {
      id: newId(),
      createAt: this.clock.now(),
      result: entry.status < 400 ? 'success' : 'fail',
      ...entry,
      target: entry.target.slice(0, 128),
      address: entry.address.slice(0, 64),
    };
    try {
      await this.repository.insert(row);
    } catch (error) {
      this.report(entry, error);
    }
  }

  list(offset: number, limit: number): Promise<Audit[]> {
    return this.repository.listNewestFirst(offset, limit);
  }

  private report({ action, requestId }: AuditEntry, error: unknown): void {
    const isOutage = isDatabaseUnavailable(error);
    const now = performance.now();
    if (isOutage && now - this.lastOutageLog < OUTAGE_LOG_INTERVAL_MS) return;
    if (isOutage) this.lastOutageLog = now;
    const reason = error instanceof Error ? error.name : 'unknown';
    // An outage is logged as an error where the calls fail.
    this.logger[isOutage ? 'warn' : 'error'](`No audit row for ${action}, request ${requestId}: ${reason}.`);
  }
}
