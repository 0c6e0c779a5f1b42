import type { OutboundReply } from '../outbound/outbound-client.js';
import type { Statement } from '../../platform/database/statement.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { Delivery } from './delivery.entity.js';

/** What an attempt sends to the URL of the delivery. */
export interface Call {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Texts to redact from stored replies. ASCII. */
  readonly secrets: readonly string[];
  /** The time that its headers tell, if they do. The attempt begins then, so that it can be told from its start. */
  readonly builtAt?: number;
}

/** A larger reply is handled before the place of its call is free, so that unread ones do not fill the memory. */
export const LARGE_REPLY_BYTES = 32 * 1024;

/** The delivery is cancelled; the value is the stored reason. */
export interface Cancellation {
  readonly cancelled: string;
}

/** The delivery is not made now: its row stays open, and it is prepared again later. */
export const POSTPONED = 'postponed';

/** What a kind does with a due delivery. */
export type Prepared = Call | Cancellation | typeof POSTPONED;

/** The delivery was settled in the meantime; the transaction must be rolled back. */
export class AlreadySettled extends Error {
  override readonly name = 'AlreadySettled';
}

/** The final outcome, to be stored in one transaction with what follows from it. */
export interface StoreMark {
  /** Stores it. Throws AlreadySettled. */
  readonly run: (transaction: Transaction) => Promise<void>;
  /** The same as statements. They fail their transaction if the delivery was settled in the meantime. */
  readonly statements: (replyPostId: string) => readonly Statement[];
}

/** What a kind does with a 2xx reply. */
export interface Receipt {
  /** A sentence for the attempt row, or empty. */
  readonly note: string;
  /** The reply is a refusal after all: retry by the schedule (`retry`) or within seconds (`soon`), or give up (`final`). */
  readonly refusal?: 'retry' | 'soon' | 'final';
  /** Stores the effects of the reply and, in the same transaction, the outcome through `mark`. */
  readonly store?: (mark: StoreMark) => Promise<void>;
}

/** The reply of a failed call: the status is 0 if there was none, and the body may be incomplete. */
export interface FailedReply {
  readonly status: number;
  readonly body: Buffer;
}

/** How to go on after a failure: by the schedule; `endless`, repeating its last delay; or `final`, giving up. */
export type Judgement = 'schedule' | 'endless' | 'final';

/** What an attempt came to. */
export interface AttemptResult {
  readonly statusCode: number;
  readonly errorClass: string;
  /** A sentence about the result, or empty. */
  readonly note: string;
}

/** A stored attempt. */
export interface SettledAttempt extends AttemptResult {
  readonly delivery: Delivery;
  readonly result: 'delivered' | 'retrying' | 'failed';
  readonly finishedAt: number;
}

/** A kind of delivery, implemented by the module that creates it: builds the call and handles the outcome. */
export interface DeliveryKind {
  readonly kind: string;
  /** Builds the call. An outage of the database postpones the delivery; any other error fails it. */
  prepare(delivery: Delivery): Promise<Prepared>;
  /**
   * Handles a 2xx reply. Called again after an outage of the database. Any other error is a bug: it is logged, and the
   * delivery counts as delivered.
   */
  receive(delivery: Delivery, reply: OutboundReply): Promise<Receipt>;
  /** Overrides the schedule after a failed attempt. Must not throw. */
  judgeFailure?(delivery: Delivery, reply: FailedReply): Judgement;
  /** Stores the effects of giving up a delivery and, in the same transaction, the outcome through `mark`. */
  giveUp?(delivery: Delivery, mark: StoreMark, last: AttemptResult): Promise<void>;
  /**
   * The URLs of an owner that may be called now; a recovery skips the others. Empty for owners of another kind. A kind
   * without it has nothing to recover.
   */
  callableUrls?(ownerId: string): Promise<readonly string[]>;
  /** Called after each stored attempt that made a call. Must not throw. */
  settled(attempt: SettledAttempt): void;
}

/** Whether the delivery is to be cancelled. */
export function isCancellation(prepared: Prepared): prepared is Cancellation {
  return prepared !== POSTPONED && 'cancelled' in prepared;
}
