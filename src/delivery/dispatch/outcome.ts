import type { Delivery, DeliveryAttempt, OpenStatus } from './delivery.entity.js';
import type { Turn } from './turns/lane-turns.js';

/** Why a delivery failed. `unprepared`: this server could not build the call. */
export const FAILURE_REASONS = ['gone', 'attempts_exhausted', 'refused', 'unprepared'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** The delivery is settled and not attempted again. */
export type SettlingVerdict =
  | { readonly status: 'delivered' }
  | {
      readonly status: 'failed';
      readonly reason: FailureReason;
    };

/** The effect of an attempt on its delivery. */
export type Verdict =
  | SettlingVerdict
  | { readonly status: 'retrying'; readonly dueAt: number }
  | { readonly status: 'cancelled'; readonly reason: string };

/** A verdict to store, with the attempt that led to it; cancellations have none. */
export interface Outcome {
  readonly delivery: Delivery;
  /** The turn in which the call was made. */
  readonly turn: Turn;
  readonly verdict: Verdict;
  readonly attempt: DeliveryAttempt | undefined;
  readonly finishedAt: number;
}

/** An outcome that settles the delivery. */
export interface SettledOutcome extends Outcome {
  readonly verdict: SettlingVerdict;
  readonly attempt: DeliveryAttempt;
}

/** When an open delivery is due again, and its status until then. */
export interface NextAttempt {
  readonly status: OpenStatus;
  readonly dueAt: number;
}
