import { DatabaseUnavailable } from '../../src/platform/common/errors/common-errors.js';
import type { FlowHead, LanesReadModel, LaneHead } from '../../src/delivery/dispatch/lanes.read-model.js';
import type { Delivery, DeliveryStatus } from '../../src/delivery/dispatch/delivery.entity.js';
import type { Rules } from './rules.js';

/** A running query: it sees the rows at one moment, and its result arrives later. */
interface Query {
  readonly isRead: boolean;
  look?: () => void;
  readonly arrive: () => void;
  readonly fail: () => void;
}

type Queries = Omit<
  Pick<LanesReadModel, keyof LanesReadModel>,
  'findOverdue' | 'countOpen' | 'blockedLanes' | 'pullLanesAfter'
>;

export const isOpen = ({ status }: Delivery): boolean => status === 'pending' || status === 'retrying';

export function isBefore(one: Delivery, other: Delivery): boolean {
  return one.nextAttemptAt === other.nextAttemptAt
    ? one.seq < other.seq
    : one.nextAttemptAt < other.nextAttemptAt;
}

/** The table of deliveries in memory, with queries that take as long as a test lets them. */
export class FakeTable implements Queries {
  /** No further sweep finds anything. */
  isSweepMuted = false;
  private queries: Query[] = [];

  constructor(
    readonly rows: Map<string, Delivery>,
    private readonly rules: Rules,
  ) {}

  get open(): Delivery[] {
    return [...this.rows.values()].filter(isOpen);
  }

  get queryCount(): number {
    return this.queries.length;
  }

  change(id: string, fields: Partial<Delivery>): void {
    const row = this.rows.get(id);
    if (row) this.rows.set(id, { ...row, ...fields });
  }

  listInOrder(lane: string, status: DeliveryStatus, limit: number): Promise<Delivery[]> {
    return this.query(() => this.select(lane, status).slice(0, limit));
  }

  listDue(
    { lane, flow }: { readonly lane: string; readonly flow?: string },
    status: DeliveryStatus,
    now: number,
    limit: number,
  ): Promise<Delivery[]> {
    return this.query(() =>
      this.select(lane, status)
        .filter((row) => (flow === undefined || row.flow === flow) && row.nextAttemptAt <= now)
        .slice(0, limit),
    );
  }

  flowsAfter(
    lane: string,
    after: string | undefined,
    status: DeliveryStatus,
    limit: number,
  ): Promise<FlowHead[]> {
    return this.query(() => {
      const rows = this.select(lane, status).filter(({ flow }) => after === undefined || flow > after);
      const names = [...new Set(rows.map(({ flow }) => flow))].sort().slice(0, limit);
      return names.flatMap((name) => {
        const head = rows.find(({ flow }) => flow === name);
        return head ? [{ flow: name, nextAttemptAt: head.nextAttemptAt }] : [];
      });
    });
  }

  nextDueAt(lane: string, status: DeliveryStatus, now: number): Promise<number | undefined> {
    return this.query(
      () => this.select(lane, status).find(({ nextAttemptAt }) => nextAttemptAt > now)?.nextAttemptAt,
    );
  }

  lanesAfter(after: string, status: DeliveryStatus, limit: number): Promise<LaneHead[]> {
    if (after === '' && this.isSweepMuted) return Promise.resolve([]);
    const seen = new Map<string, readonly string[]>();
    const look = (): LaneHead[] => {
      const lanes = this.open.filter((row) => row.status === status && row.lane > after);
      const names = [...new Set(lanes.map(({ lane }) => lane))].sort().slice(0, limit);
      return names.flatMap((name) => {
        const rows = this.select(name, status);
        seen.set(
          name,
          rows.map(({ id }) => id),
        );
        return rows.slice(0, 1).map(({ lane, nextAttemptAt }) => ({ lane, nextAttemptAt }));
      });
    };
    const found = (heads: readonly LaneHead[]): void =>
      heads.forEach(({ lane }) => this.rules.found(lane, status, seen.get(lane) ?? []));
    return this.query(look, found, false);
  }

  firstDue(lanes: readonly string[]): Promise<LaneHead[]> {
    return this.query(
      () =>
        lanes.flatMap((lane) => {
          const times = this.open.filter((row) => row.lane === lane).map((row) => row.nextAttemptAt);
          return times.length === 0 ? [] : [{ lane, nextAttemptAt: Math.min(...times) }];
        }),
      undefined,
      false,
    );
  }

  /** A reservation takes as long as a query. */
  reserve(): Promise<void> {
    return this.query(() => undefined, undefined, false);
  }

  /** Lets a running query read the rows or, if it has, lets its result arrive. */
  step(index: number): void {
    const query = this.queries[index % this.queries.length];
    if (!query) return;
    if (query.look) query.look();
    else this.end(query, query.arrive);
  }

  /** Fails a running query with an outage. */
  failQuery(index: number): void {
    const query = this.queries[index % this.queries.length];
    if (query) this.end(query, query.fail);
  }

  stepAll(): void {
    for (const query of this.queries.slice()) {
      query.look?.();
      this.end(query, query.arrive);
    }
  }

  /** The process has ended: its queries are dropped. */
  forgetQueries(): void {
    this.queries = [];
  }

  private end(query: Query, how: () => void): void {
    this.queries = this.queries.filter((other) => other !== query);
    how();
  }

  private select(lane: string, status: DeliveryStatus): Delivery[] {
    return this.open
      .filter((row) => row.lane === lane && row.status === status)
      .sort((one, other) => (isBefore(one, other) ? -1 : 1));
  }

  private query<T>(look: () => T, onArrival: (result: T) => unknown = () => 0, isRead = true): Promise<T> {
    return new Promise((resolve, reject) => {
      let result: T;
      const query: Query = {
        isRead,
        look: () => {
          result = look();
          delete query.look;
        },
        arrive: () => {
          onArrival(result);
          resolve(result);
        },
        fail: () => reject(new DatabaseUnavailable()),
      };
      this.queries.push(query);
      if (isRead) this.rules.readStarts(this.queries.filter((other) => other.isRead).length);
    });
  }
}
