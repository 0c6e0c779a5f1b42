import { sequenceFrom } from '../../platform/common/sequence.js';
import type { PageFilter } from './delivery-page.js';
import { OPEN } from './deliveries.repository.js';
import type { Delivery } from './delivery.entity.js';

/** The statuses in the API. `in_flight`: the call is in progress. */
export const SHOWN_STATUSES = ['pending', 'in_flight', 'delivered', 'failed', 'cancelled'] as const;
/** A delivery status in the API. */
export type ShownStatus = (typeof SHOWN_STATUSES)[number];
/** A delivery with its status in the API. */
export interface ShownDelivery {
  readonly delivery: Delivery;
  readonly status: ShownStatus;
  /** Until when it is not called though it is due, because its endpoint is spared; 0 if nothing of the kind holds it up. */
  readonly pausedUntil: number;
}

/** The statuses by which lists are narrowed. `retrying`: those that are `pending` after a failed call. */
export const WANTED_STATUSES = [...SHOWN_STATUSES, 'retrying'] as const;
/** A status by which lists are narrowed. */
export type WantedStatus = (typeof WANTED_STATUSES)[number];

/** The stored statuses of those that are wanted; none means all. Asks what is in flight only if that makes a difference. */
export async function storedStatuses(
  wanted: readonly WantedStatus[],
  inFlight: () => Promise<readonly string[]>,
): Promise<Pick<PageFilter, 'statuses' | 'openIds' | 'exceptIds' | 'anyRetrying'>> {
  const isWanted = (status: WantedStatus): boolean => wanted.includes(status);
  const statuses = wanted.flatMap((status) =>
    status === 'pending' || status === 'in_flight' ? OPEN : [status],
  );
  const isWaitingWanted = isWanted('pending') || isWanted('retrying');
  if (isWanted('in_flight') ? isWanted('pending') : !isWaitingWanted) return { statuses };
  const ids = await inFlight();
  if (!isWanted('in_flight')) return { statuses, exceptIds: ids };
  return { statuses, openIds: ids, anyRetrying: isWanted('retrying') };
}

/** The part of the order in which a page lies. Times are milliseconds since the epoch; `cursor` is what it comes after. */
export function seqRange(
  since: number | undefined,
  before: number | undefined,
  cursor: Pick<Delivery, 'seq'> | undefined,
): Pick<PageFilter, 'sinceSeq' | 'beforeSeq'> {
  const ends = [cursor?.seq ?? [], before === undefined ? [] : sequenceFrom(before)].flat();
  return {
    ...(since === undefined ? {} : { sinceSeq: sequenceFrom(since) }),
    ...(ends.length === 0 ? {} : { beforeSeq: Math.min(...ends) }),
  };
}
