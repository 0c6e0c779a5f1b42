import type { DeliveryAttempt } from './delivery-attempt.entity.js';
import type { Delivery, OpenStatus } from './delivery.entity.js';

/** The delivery is settled for good: nothing is tried any more. */
export type SettlingVerdict =
  | { readonly status: 'delivered' }
  | {
      readonly status: 'failed';
      /** `unprepared`: this server could not make the call. */
      readonly reason: 'gone' | 'attempts_exhausted' | 'refused' | 'unprepared';
    };

/** What an attempt makes of its delivery. */
export type Verdict =
  | SettlingVerdict
  | { readonly status: 'retrying'; readonly dueAt: number }
  | { readonly status: 'cancelled'; readonly reason: string };

/** A verdict that has to be stored, with the attempt that led to it; cancelled ones had none. */
export interface Outcome {
  readonly delivery: Delivery;
  readonly verdict: Verdict;
  readonly attempt: DeliveryAttempt | undefined;
  readonly finishedAt: number;
}

/** An outcome after which nothing is tried any more. */
export interface SettledOutcome extends Outcome {
  readonly verdict: SettlingVerdict;
  readonly attempt: DeliveryAttempt;
}

/** When a delivery that stays open is due again, and with which status it waits for that. */
export interface NextAttempt {
  readonly status: OpenStatus;
  readonly dueAt: number;
}
