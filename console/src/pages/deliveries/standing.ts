import type { Tone } from '../../parts/badge';
import type { Delivery } from './delivery-queries';

interface Standing {
  readonly text: string;
  readonly tone: Tone;
}

const STANDINGS: Readonly<Record<string, Standing>> = {
  pending: { text: 'waiting', tone: 'quiet' },
  in_flight: { text: 'sending', tone: 'quiet' },
  delivered: { text: 'delivered', tone: 'good' },
  failed: { text: 'failed', tone: 'bad' },
  cancelled: { text: 'cancelled', tone: 'quiet' },
};
const RETRYING: Standing = { text: 'retrying', tone: 'warning' };

/** State of a delivery. A pending one with past attempts is being retried. */
export function standingOfDelivery({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): Standing {
  if (status === 'pending' && attempts > 0) return RETRYING;
  return STANDINGS[status] ?? { text: status, tone: 'quiet' };
}

/** Whether a delivery has ended without success. */
export const isMissed = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status === 'failed' || status === 'cancelled';

/** Filter for deliveries that need attention. */
export const FAILING = 'failed,retrying';

/** Status filters and their labels. */
export const STATUSES: Readonly<Record<string, string>> = {
  [FAILING]: 'failed or retrying',
  failed: 'failed',
  retrying: 'retrying',
  pending: 'waiting or retrying',
  in_flight: 'sending',
  delivered: 'delivered',
  cancelled: 'cancelled',
};
