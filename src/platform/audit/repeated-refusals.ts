import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type SharedCount, SharedCounts } from '../scaling/shared-counts.js';
import type { Audit } from './audit.entity.js';

/** The number of refused calls per caller and minute that get their own row. */
const ROWS = { max: 10, windowMs: 60_000 };
const ID_LENGTH = 26;

/** Counts the refused calls of each caller across all processes. After ten in a minute they share a row. */
@Injectable()
export class RepeatedRefusals {
  private readonly counts: SharedCount;
  private readonly waiting = new Map<string, Audit>();

  constructor(counts: SharedCounts) {
    this.counts = counts.open('refused calls');
  }

  get size(): number {
    return this.waiting.size;
  }

  /** Counts a refused call. Returns the row to store now; undefined if it was only added to a waiting one. */
  take(caller: string, row: Audit): { readonly row: Audit; readonly isShared: boolean } | undefined {
    const count = this.counts.note(caller, ROWS, row.createAt);
    if (count <= ROWS.max) return { row, isShared: false };
    const shared = { ...row, id: idOf(caller, this.counts.endsAt(caller)) };
    if (count === ROWS.max + 1) return { row: shared, isShared: true };
    this.keep(shared);
    return undefined;
  }

  /** Keeps a row, merged with those of the same caller and minute. */
  keep(row: Audit): void {
    const kept = this.waiting.get(row.id);
    if (kept) kept.repeats += row.repeats + 1;
    else this.waiting.set(row.id, row);
  }

  drain(): Audit[] {
    const rows = [...this.waiting.values()];
    this.waiting.clear();
    return rows;
  }
}

/** The same id in every process, so that their rows merge. */
function idOf(caller: string, endsAt: number): string {
  return hash('sha256', `${caller} ${endsAt}`, 'hex').slice(0, ID_LENGTH);
}
