import type { EntityManager } from 'typeorm';
import type { OutboundReply } from '../outbound/outbound-client.js';
import type { Delivery } from './delivery.entity.js';

/** What an attempt sends. The address is the delivery's own. */
export interface Call {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What must not be stored when the receiver sends it back. ASCII. */
  readonly secrets: readonly string[];
}

/** The delivery is not to be made any more; `reason` is stored with it. */
export interface Cancellation {
  readonly cancelled: string;
}

/** Stores the delivered mark through the manager of the transaction it is called in. Throws when it is not pending. */
export type StoreMark = (manager: EntityManager, replyPostId: string) => Promise<void>;

/** What becomes of a reply with a 2xx. */
export interface Receipt {
  /** A sentence for the attempt row; empty when there is nothing to say. */
  readonly note: string;
  /** It was no success after all: the delivery is made again (`retry`) or given up (`final`). */
  readonly refusal?: 'retry' | 'final';
  /** Stores what follows from the reply and, in the same transaction, the delivered mark. */
  readonly store?: (mark: StoreMark) => Promise<void>;
}

/** One attempt, as it was stored. */
export interface SettledAttempt {
  readonly delivery: Delivery;
  readonly result: 'delivered' | 'retrying' | 'failed';
  readonly statusCode: number;
  readonly errorClass: string;
  readonly finishedAt: number;
}

/** What a module brings so that its deliveries can be made: the payload, and what follows from the outcome. */
export interface DeliveryKind {
  readonly kind: string;
  prepare(delivery: Delivery): Promise<Call | Cancellation>;
  /** Judges a reply with a 2xx. What it throws is a bug: it is logged, and the delivery counts as made. */
  receive(delivery: Delivery, reply: OutboundReply): Promise<Receipt>;
  /**
   * What a failed attempt means, where the module knows better than the schedule: `endless` tries again for ever, at
   * the pace of the schedule's end; `final` gives up. `statusCode` is 0 when no reply came.
   */
  judgeFailure?(delivery: Delivery, statusCode: number): 'schedule' | 'endless' | 'final';
  /**
   * Which URLs of an owner may be called now: recovering leaves the others out. A kind without it has nothing to
   * recover; of an owner that is not its own a kind knows none.
   */
  callableUrls?(ownerId: string): Promise<readonly string[]>;
  /** Called after each stored attempt. Must not throw. */
  settled(attempt: SettledAttempt): void;
}

export function isCancellation(prepared: Call | Cancellation): prepared is Cancellation {
  return 'cancelled' in prepared;
}
