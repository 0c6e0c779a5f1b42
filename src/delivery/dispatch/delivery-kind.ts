import type { OutboundReply } from '../outbound/outbound-client.js';
import type { Transaction } from '../../platform/database/transaction.js';
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

/** The delivery is not to be made now: its row stays open, and it has another turn after a while. */
export const POSTPONED = 'postponed';

/** What a kind makes of a delivery whose turn it is. */
export type Prepared = Call | Cancellation | typeof POSTPONED;

/** What is to be stored with the mark of a delivery that somebody has settled meanwhile must not be stored. */
export class AlreadySettled extends Error {
  override readonly name = 'AlreadySettled';
}

/** Stores the outcome with the transaction. Throws AlreadySettled. */
export type StoreMark = (transaction: Transaction, replyPostId?: string) => Promise<void>;

/** What becomes of a reply with a 2xx. */
export interface Receipt {
  /** A sentence for the attempt row; empty when there is nothing to say. */
  readonly note: string;
  /** It was no success after all: the delivery is made again by the schedule (`retry`) or `soon`, or given up (`final`). */
  readonly refusal?: 'retry' | 'soon' | 'final';
  /** Stores what follows from the reply and, in the same transaction, the delivered mark. */
  readonly store?: (mark: StoreMark) => Promise<void>;
}

/** What came of a call that failed: the status is 0 when no reply came, and there may be a part of a body only. */
export interface FailedReply {
  readonly status: number;
  readonly body: Buffer;
}

/** `endless` tries again for ever, at the pace of the schedule's end; `final` gives up. */
export type Judgement = 'schedule' | 'endless' | 'final';

/** One attempt, as it was stored. */
export interface SettledAttempt {
  readonly delivery: Delivery;
  readonly result: 'delivered' | 'retrying' | 'failed';
  readonly statusCode: number;
  readonly errorClass: string;
  /** What there is to say of it; empty when nothing is. */
  readonly note: string;
  readonly finishedAt: number;
}

/** What a module brings so that its deliveries can be made: the payload, and what follows from the outcome. */
export interface DeliveryKind {
  readonly kind: string;
  /** While the database is away, what it throws puts the delivery off; anything else fails it. */
  prepare(delivery: Delivery): Promise<Prepared>;
  /**
   * Judges a reply with a 2xx. While the database is away it is asked again; anything else that it throws is a bug: it is
   * logged, and the delivery counts as made.
   */
  receive(delivery: Delivery, reply: OutboundReply): Promise<Receipt>;
  /** What a failed attempt means, where the module knows better than the schedule. Must not throw. */
  judgeFailure?(delivery: Delivery, reply: FailedReply): Judgement;
  /** Stores what follows when a delivery is given up and, in the same transaction, the failed mark. */
  giveUp?(delivery: Delivery, mark: StoreMark): Promise<void>;
  /**
   * Which URLs of an owner may be called now: recovering leaves the others out. A kind without it has nothing to
   * recover; of an owner that is not its own a kind knows none.
   */
  callableUrls?(ownerId: string): Promise<readonly string[]>;
  /** Called after each stored attempt for which the receiver was called. Must not throw. */
  settled(attempt: SettledAttempt): void;
}

export function isCancellation(prepared: Prepared): prepared is Cancellation {
  return prepared !== POSTPONED && 'cancelled' in prepared;
}
