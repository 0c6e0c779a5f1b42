import type { DeliveryAttempt } from './delivery-attempt.entity.js';
import type { Delivery } from './delivery.entity.js';

/** What an attempt makes of its delivery. */
export type Verdict =
  | { readonly status: 'delivered' }
  | { readonly status: 'retrying'; readonly dueAt: number }
  | { readonly status: 'failed'; readonly reason: 'gone' | 'attempts_exhausted' | 'refused' }
  | { readonly status: 'cancelled'; readonly reason: string };

/** A verdict that has to be stored, with the attempt that led to it; cancelled ones had none. */
export interface Outcome {
  readonly delivery: Delivery;
  readonly verdict: Verdict;
  readonly attempt: DeliveryAttempt | undefined;
  readonly finishedAt: number;
}
