export type StatusName = 'online' | 'away' | 'dnd' | 'offline';
export const STATUS_NAMES: readonly string[] = ['online', 'away', 'dnd', 'offline'] satisfies StatusName[];

/** The status of a user. */
export interface Status {
  readonly userId: string;
  readonly status: StatusName;
  /** Set by the user rather than the server. */
  readonly isManual: boolean;
  readonly lastActivityAt: number;
  /** When `dnd` ends, in seconds since the epoch; 0 = never. */
  readonly dndEndTime: number;
}

/** A status, and when it was set. */
interface Mark {
  readonly status: StatusName;
  readonly at: number;
}

/**
 * What a user chose and what the server observed, the latest of each. Processes that know the same marks agree on the
 * status, in whatever order they heard of them.
 */
export interface StatusRecord {
  readonly chosen?: (Mark & { readonly dndEndTime: number }) | undefined;
  readonly observed?: Mark | undefined;
}

/** The status at the time `now`: a chosen one stands, unless it is `online` and something was observed later. */
export function statusOf(userId: string, { chosen, observed }: StatusRecord, now: number): Status {
  const dndEndsAt = chosen?.status === 'dnd' && chosen.dndEndTime > 0 ? chosen.dndEndTime * 1000 : Infinity;
  const isDndOver = dndEndsAt <= now;
  const isOpen = chosen === undefined || chosen.status === 'online' || isDndOver;
  const opensAt = isDndOver ? dndEndsAt : (chosen?.at ?? -Infinity);
  if (isOpen && observed && observed.at > opensAt)
    return { userId, status: observed.status, isManual: false, lastActivityAt: observed.at, dndEndTime: 0 };
  if (!chosen) return { userId, status: 'offline', isManual: false, lastActivityAt: 0, dndEndTime: 0 };
  const { status, at: lastActivityAt, dndEndTime } = chosen;
  return isDndOver
    ? { userId, status: 'online', isManual: false, lastActivityAt, dndEndTime: 0 }
    : { userId, status, isManual: true, lastActivityAt, dndEndTime };
}

/** The later marks of both. */
export function merged(known: StatusRecord, other: StatusRecord): StatusRecord {
  return {
    chosen: later(known.chosen, other.chosen),
    observed: later(known.observed, other.observed),
  };
}

/** When the latest mark was set. */
export function latest({ chosen, observed }: StatusRecord): number {
  return Math.max(chosen?.at ?? 0, observed?.at ?? 0);
}

function later<M extends Mark>(one: M | undefined, other: M | undefined): M | undefined {
  if (!one || !other) return one ?? other;
  const order = one.at - other.at || one.status.localeCompare(other.status);
  return order >= 0 ? one : other;
}
