import type { Release, TakenTurn } from '../../src/delivery/dispatch/turns/lane-turns.repository.js';
import { DatabaseUnavailable } from '../../src/platform/common/errors/common-errors.js';

interface Row {
  epoch: number;
  holder: string;
  until: number;
}

/** An in-memory table of turns that behaves like its statements. */
export class FakeTurns {
  readonly rows = new Map<string, Row>();
  /** The replies to these processes are lost, although their statements have run. */
  readonly deaf = new Set<string>();

  take(lanes: readonly string[], holder: string, leaseMs: number): Promise<readonly TakenTurn[]> {
    const taken = lanes.flatMap((lane): TakenTurn[] => {
      const row = this.rows.get(lane);
      const now = Date.now();
      if (row && row.until > now && row.holder !== holder) return [];
      const epoch = row ? row.epoch + 1 : now;
      this.rows.set(lane, { epoch, holder, until: now + leaseMs });
      return [{ lane, epoch }];
    });
    return this.answer(holder, taken);
  }

  renew(holder: string, leaseMs: number): Promise<ReadonlyMap<string, number>> {
    const held = [...this.rows].filter(([, row]) => row.holder === holder);
    for (const [, row] of held) row.until = Date.now() + leaseMs;
    return this.answer(holder, new Map(held.map(([lane, { epoch }]) => [lane, epoch])));
  }

  release(turns: readonly Release[], holder: string): Promise<void> {
    for (const { lane, epoch, pausedMs } of turns) {
      const row = this.rows.get(lane);
      if (row?.holder === holder && row.epoch === epoch)
        this.rows.set(lane, { epoch, holder: '', until: Date.now() + pausedMs });
    }
    return this.answer(holder, undefined);
  }

  /** Whether an outcome of that turn would be stored. */
  isInForce(lane: string, epoch: number): boolean {
    return this.rows.get(lane)?.epoch === epoch;
  }

  private answer<T>(holder: string, value: T): Promise<T> {
    return this.deaf.has(holder) ? Promise.reject(new DatabaseUnavailable()) : Promise.resolve(value);
  }
}
