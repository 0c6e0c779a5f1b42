import { type Status, STATUS_OF } from '../../parts/statuses';
import type { Delivery } from './delivery-queries';

/** State of a delivery. A pending one with past attempts is being retried. */
export function standingOfDelivery({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): Status {
  const { delivery } = STATUS_OF;
  if (status === 'pending' && attempts > 0) return delivery.retrying;
  return status in delivery ? delivery[status as keyof typeof delivery] : { tone: 'quiet', text: status };
}

/** Whether a delivery has ended without success. */
export const isMissed = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status === 'failed' || status === 'cancelled';

/** Filter for deliveries that need attention. */
export const FAILING = 'failed,retrying';

/** Status filters and their labels. */
export const STATUSES: Readonly<Record<string, string>> = {
  [FAILING]: 'Failed or retrying',
  failed: 'Failed',
  retrying: 'Retrying',
  pending: 'Waiting or retrying',
  in_flight: 'Sending',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
};
