import { sequenceFrom } from '../../platform/common/sequence.js';
import type { PageFilter } from './delivery-page.js';
import { OPEN } from './deliveries.repository.js';
import type { Delivery } from './delivery.entity.js';

/** The statuses in the API. `in_flight`: the call is in progress. */
export const SHOWN_STATUSES = ['pending', 'in_flight', 'delivered', 'failed', 'cancelled'] as const;
/** A delivery status in the API. */
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** The stored statuses of those in the API; none means all. Asks what is in flight only if that makes a difference. */
export async function storedStatuses(
  shown: readonly ShownStatus[],
  inFlight: () => Promise<readonly string[]>,
): Promise<Pick<PageFilter, 'statuses' | 'openIds' | 'exceptIds'>> {
  const isWanted = (status: ShownStatus): boolean => shown.includes(status);
  const statuses = shown.flatMap((status) =>
    status === 'pending' || status === 'in_flight' ? OPEN : [status],
  );
  if (isWanted('pending') === isWanted('in_flight')) return { statuses };
  const ids = await inFlight();
  return { statuses, ...(isWanted('pending') ? { exceptIds: ids } : { openIds: ids }) };
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
