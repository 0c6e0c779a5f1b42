import { sequenceFrom } from '../../platform/common/sequence.js';
import type { PageFilter } from './delivery-page.js';
import { OPEN } from './deliveries.repository.js';
import type { Delivery } from './delivery.entity.js';

/** The API statuses. `in_flight`: the call is in progress. */
export const SHOWN_STATUSES = ['pending', 'in_flight', 'delivered', 'failed', 'cancelled'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];
/** A delivery with its API status. */
export interface ShownDelivery {
  readonly delivery: Delivery;
  readonly status: ShownStatus;
  /** Until when a pause of its endpoint delays the delivery; 0 if it is not delayed. */
  readonly pausedUntil: number;
}

/** The statuses that lists can be filtered by. `retrying`: `pending` after a failed call. */
export const WANTED_STATUSES = [...SHOWN_STATUSES, 'retrying'] as const;
/** A status that lists can be filtered by. */
export type WantedStatus = (typeof WANTED_STATUSES)[number];

/** The stored statuses to select; none means all. Asks what is in flight only if it matters. */
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

/** The `seq` range of a page. Times are in epoch milliseconds; `cursor` is the end of the previous page. */
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
