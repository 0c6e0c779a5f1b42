import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { OutboundReply } from '../outbound/outbound-client.js';
import type { Statement } from '../../platform/database/statement.js';
import { isMissingValue } from '../../platform/database/database-errors.js';
import type { Delivery } from './delivery.entity.js';

const MAX_LANE_LENGTH = 300;
const ORDERED = 'order:';
const HASH_LENGTH = 16;

/** The lane of deliveries that must arrive in creation order. */
export function orderedLane(key: string): string {
  return `${ORDERED}${key}`;
}

/** The names of the ordered lanes of an endpoint start with this; together they get the calls of one endpoint. */
export function orderedLanesOf(endpoint: string): string {
  return orderedLane(`@${shortHash(endpoint)}:`);
}

/** What the ordered lanes of one endpoint have in common; undefined for other lanes. */
export function endpointOf(lane: string): string | undefined {
  return lane.startsWith(`${ORDERED}@`) ? lane.slice(0, lane.indexOf(':', ORDERED.length)) : undefined;
}

/** Whether a lane preserves the order of its deliveries. */
export function isOrderedLane(name: string): boolean {
  return name.startsWith(ORDERED);
}

/** The URL of deliveries that are not sent: consumers pull them. */
export const PULL_URL = 'pull:';

/** The lane of an owner's deliveries to pull. The dispatcher ignores such lanes. */
export function pullLane(ownerId: string): string {
  return `${PULL_URL}${ownerId}`;
}

/** The lane and flow of a delivery to pull. Consumers can get those with one key in order. */
export function pullPlace(ownerId: string, key: string): Pick<Delivery, 'lane' | 'flow'> {
  return { lane: pullLane(ownerId), flow: flowOf(ownerId, key) };
}

/** Whether consumers pull the deliveries of a lane. */
export function isPullLane(name: string): boolean {
  return name.startsWith(PULL_URL);
}

/** The origin of a delivery's URL; `pull` if consumers pull it. */
export function originOf(url: string): string {
  return url === PULL_URL ? 'pull' : new URL(url).origin;
}

/** The lane of deliveries to one endpoint: the origin of its URL. */
export function endpointLane(url: string): string {
  return originOf(url).slice(0, MAX_LANE_LENGTH);
}

/** A short key for an owner's deliveries to one URL, the same in every process. */
export function flowOf(ownerId: string, url: string): string {
  return shortHash(`${ownerId} ${url}`);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}

/** Headers that prove who calls, obtained from another server. */
export interface Authorization {
  readonly headers: Readonly<Record<string, string>>;
  /** Like those of a call. */
  readonly secrets: readonly string[];
}

/** The request that an attempt sends to the delivery's URL. */
export interface Call {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Strings to redact from stored replies. ASCII only. */
  readonly secrets: readonly string[];
  /** Additional headers. `refused` are those that the receiver answered with 401. Throws OutboundFailure. */
  readonly authorize?: ((refused?: Authorization) => Promise<Authorization>) | undefined;
  /** The maximum number of calls per second of the owner; unlimited if undefined. */
  readonly perSecond?: number | undefined;
  /** The timestamp in the headers, if any. Used as the attempt's start time so that the two match. */
  readonly builtAt?: number;
}

/** Larger replies are handled before their call's place is freed, so that they cannot fill up memory. */
export const LARGE_REPLY_BYTES = 32 * 1024;

/** Cancels the delivery; the value is the stored reason. */
export interface Cancellation {
  readonly cancelled: string;
}

/** The delivery is not made now: its row stays open, and it is prepared again later. */
export const POSTPONED = 'postponed';

/** What a kind returns for a due delivery. */
export type Prepared = Call | Cancellation | typeof POSTPONED;

/**
 * Returns the statements that store a final outcome, for the transaction that stores its effects. They fail it
 * (`isAlreadySettled`) if the delivery was settled by something else.
 */
export type OutcomeStatements = (replyPostId?: string) => readonly Statement[];

/** Whether a transaction failed because a delivery was already settled or its lane's turn was over. */
export function isAlreadySettled(error: unknown): boolean {
  return isMissingValue(error, 'reply_post_id');
}

/** How a kind handled a 2xx reply. */
export interface Receipt {
  /** A sentence for the attempt row, or an empty string. */
  readonly note: string;
  /** Treats the reply as a refusal: `retry` by the schedule, retry `soon` (within seconds), or give up. */
  readonly refusal?: 'retry' | 'soon' | 'final';
  /** Stores the effects of the reply and the outcome in one transaction. */
  readonly store?: (outcome: OutcomeStatements) => Promise<void>;
}

/** The reply of a failed call. The status is 0 if there was none; the body may be incomplete. */
export interface FailedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** After a failure: follow the schedule, repeat its last delay (`endless`), or give up (`final`). */
export type RetryPolicy = 'schedule' | 'endless' | 'final';

/** The result of an attempt. */
export interface AttemptResult {
  readonly statusCode: number;
  readonly errorClass: string;
  /** A sentence about the result, or an empty string. */
  readonly note: string;
}

/** A stored attempt. */
export interface SettledAttempt extends AttemptResult {
  readonly delivery: Delivery;
  readonly result: 'delivered' | 'retrying' | 'failed';
  /** That of the delivery, which may be empty. */
  readonly reason: string;
  readonly finishedAt: number;
}

/** A kind of delivery, implemented by the module that creates it: builds calls and handles outcomes. */
export interface DeliveryKind {
  readonly kind: string;
  /** Builds the call. A database outage postpones the delivery; any other error fails it. */
  prepare(delivery: Delivery): Promise<Prepared>;
  /**
   * Handles a 2xx reply. Called again after a database outage. Any other error is a bug: it is logged, and
   * the delivery counts as delivered.
   */
  receive(delivery: Delivery, reply: OutboundReply): Promise<Receipt>;
  /** Whether the receiver wants no more calls: the delivery is not retried. Must not throw. */
  isDisabledBy?(reply: Pick<FailedReply, 'headers'>): boolean;
  /** Overrides the schedule after a failed attempt. Must not throw. */
  retryPolicyFor?(delivery: Delivery, reply: FailedReply): RetryPolicy;
  /** Stores the effects of giving up and the outcome in one transaction. */
  giveUp?(delivery: Delivery, outcome: OutcomeStatements, last: AttemptResult): Promise<void>;
  /**
   * The owner's URLs that may be called now; a recovery skips all others. Empty for owners of another kind. A
   * kind without this method has nothing to recover.
   */
  callableUrls?(ownerId: string): Promise<readonly string[]>;
  /** Called after each stored attempt that made a call. Must not throw. */
  settled(attempt: SettledAttempt): void;
}

export function isCancellation(prepared: Prepared): prepared is Cancellation {
  return prepared !== POSTPONED && 'cancelled' in prepared;
}

/** The registry of delivery kinds. Each module registers its own at startup. */
@Injectable()
export class DeliveryKinds {
  private readonly kinds = new Map<string, DeliveryKind>();

  register(kind: DeliveryKind): void {
    if (this.kinds.has(kind.kind)) throw new Error(`The kind ${kind.kind} is registered twice.`);
    this.kinds.set(kind.kind, kind);
  }

  find(name: string): DeliveryKind | undefined {
    return this.kinds.get(name);
  }

  /** The owner's URLs that may be called now, across all kinds. */
  async callableUrls(ownerId: string): Promise<string[]> {
    const urls: string[] = [];
    for (const kind of this.kinds.values()) urls.push(...((await kind.callableUrls?.(ownerId)) ?? []));
    return urls;
  }
}
