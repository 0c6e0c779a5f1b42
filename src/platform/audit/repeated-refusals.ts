import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { SharedCount } from '../scaling/shared-count.js';
import { SharedCounts } from '../scaling/shared-counts.js';
import type { Audit } from './audit.entity.js';

/** So many refused calls of a caller within a minute have a row each. */
const ROWS = { max: 10, windowMs: 60_000 };
const ID_LENGTH = 26;

/**
 * Counts the refused calls of each caller over all processes. Those beyond the first ten of a minute share a row, which waits
 * here with the number of calls that are not stored yet.
 */
@Injectable()
export class RepeatedRefusals {
  private readonly counts: SharedCount;
  private readonly waiting = new Map<string, Audit>();

  constructor(counts: SharedCounts) {
    this.counts = counts.open('refused calls');
  }

  /** How many rows wait. */
  get size(): number {
    return this.waiting.size;
  }

  /**
   * Counts a refused call. Returns the row to store at once: its own, or the first of those that stand for several; undefined
   * if the call only counts in one that waits.
   */
  take(caller: string, row: Audit): { readonly row: Audit; readonly isShared: boolean } | undefined {
    const count = this.counts.note(caller, ROWS, row.createAt);
    if (count <= ROWS.max) return { row, isShared: false };
    const shared = { ...row, id: idOf(caller, this.counts.endsAt(caller)) };
    if (count === ROWS.max + 1) return { row: shared, isShared: true };
    this.keep(shared);
    return undefined;
  }

  /** Lets a row wait, with those of the same caller and minute. */
  keep(row: Audit): void {
    const kept = this.waiting.get(row.id);
    if (kept) kept.repeats += row.repeats + 1;
    else this.waiting.set(row.id, row);
  }

  /** Hands over the rows that wait. */
  drain(): Audit[] {
    const rows = [...this.waiting.values()];
    this.waiting.clear();
    return rows;
  }
}

/** The same id in every process, so that their rows become one. */
function idOf(caller: string, endsAt: number): string {
  return hash('sha256', `${caller} ${endsAt}`, 'hex').slice(0, ID_LENGTH);
}
