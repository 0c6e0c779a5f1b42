import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
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

/** A short hash that stands for a secret in logs, audit rows and metrics. */
export function secretHash(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, HASH_LENGTH)}`;
}

/** The audit log. A row that cannot be written is logged and fails nobody's call. */
@Injectable()
export class AuditService {
  private readonly logger = new Logger(AuditService.name);

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
      const code = error instanceof Error ? error.name : 'unknown';
      this.logger.error(
        `No audit row for ${entry.action} (${row.result}), request ${entry.requestId}: ${code}.`,
      );
    }
  }

  list(offset: number, limit: number): Promise<Audit[]> {
    return this.repository.listNewestFirst(offset, limit);
  }
}
