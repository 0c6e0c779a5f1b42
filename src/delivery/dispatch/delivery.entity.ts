import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  IntColumn,
  JsonColumn,
  LongTextColumn,
  PrimaryIdColumn,
  PrimaryIntColumn,
  PrimaryTextColumn,
  TextColumn,
} from '../../platform/database/columns.js';
import type { JsonObject } from '../../platform/common/json.js';
import type { CallTiming } from '../outbound/exchange.js';

/** The stored statuses. `retrying`: attempted at least once and due again later. */
export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'failed', 'cancelled'] as const;
/** A stored status. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
/** Not settled: first attempts, which are `pending`, go before what is `retrying`. */
export type OpenStatus = Extract<DeliveryStatus, 'pending' | 'retrying'>;

/**
 * A call to an endpoint. The row is the source of truth and exists before the call
 * (docs/architecture.md#outgoing-webhooks). `kind` names the module that interprets the body and handles the outcome.
 */
@Entity('deliveries')
@Index('ix_deliveries_lane', ['status', 'lane', 'nextAttemptAt', 'seq'])
@Index('ix_deliveries_flow', ['status', 'lane', 'flow', 'nextAttemptAt', 'seq'])
@Index('ix_deliveries_status', ['ownerId', 'status', 'seq'])
@Index('ix_deliveries_kind', ['status', 'kind', 'seq'])
@Index('ix_deliveries_finished', ['finishAt', 'seq'])
@Index('ix_deliveries_subject', ['subjectId'])
export class Delivery {
  @PrimaryIdColumn() id: string;
  /** The order of creation, used by every list and cursor. */
  @BigColumn() seq: number;
  @TextColumn(32) kind: string;
  /** The hook or connection that it belongs to. */
  @IdColumn() ownerId: string;
  /** The post that it is about. */
  @IdColumn() subjectId: string;
  @TextColumn(1024) url: string;
  /** Deliveries of one lane share a bulkhead: the endpoint's origin, or the ordering key of an ordered lane. */
  @TextColumn(300) lane: string;
  /** Within a lane, deliveries of one webhook to one URL: flows take turns. Empty in ordered lanes. */
  @TextColumn(16, { default: '' }) flow: string;
  /** As of the creation of the delivery. Stored without what is in `delivery_payloads`, if it shares that. */
  @JsonColumn() body: JsonObject;
  @BooleanColumn({ default: false }) sharesPayload: boolean;
  @TextColumn(128) contentType: string;
  @TextColumn(16) status: DeliveryStatus;
  /** Why it failed or was cancelled. */
  @TextColumn(64) reason: string;
  @IntColumn() attempts: number;
  /** The position in the schedule; a manual retry starts again at 0. */
  @IntColumn() step: number;
  @BigColumn() nextAttemptAt: number;
  @BigColumn() createAt: number;
  /** 0 while it is open. */
  @BigColumn() finishAt: number;
  /** The HTTP status of the last attempt; 0 if there was none. */
  @IntColumn() lastCode: number;
  /** The error class of the last attempt; empty if there was none. */
  @TextColumn(32) lastError: string;
  /** The post made from the receiver's reply; empty if there is none. */
  @IdColumn() replyPostId: string;
}

/** What the bodies of all deliveries of one kind about one subject have in common. It lives as long as one of them. */
@Entity('delivery_payloads')
export class DeliveryPayload {
  @PrimaryIdColumn() subjectId: string;
  @PrimaryTextColumn(32) kind: string;
  @JsonColumn() body: JsonObject;
}

/** What is kept of a call beside its result, for whoever looks into it. */
export interface AttemptDetail extends CallTiming {
  /** As many of the reply's headers as fit into 2 KiB, without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** How much of the body was read, decompressed. */
  readonly replyBytes: number;
  /** The body went on. */
  readonly isCut: boolean;
  /** Of the server that made the call, which names it. */
  readonly version: string;
  /** As the call had it; empty without one. */
  readonly traceparent: string;
}

/** The first one, which does not note itself. */
const FIRST_VERSION = '0.1.0';

/** What is not stored of an attempt. */
export const NO_DETAIL: AttemptDetail = {
  ...{ nameMs: -1, connectMs: -1, tlsMs: -1, sentMs: -1 },
  ...{ headers: {}, replyBytes: -1, isCut: false },
  ...{ version: FIRST_VERSION, traceparent: '' },
};

const DETAILS = Object.keys(NO_DETAIL) as (keyof AttemptDetail)[];

/** As short as it can be, since there is one for each call: without what is as in NO_DETAIL. */
const detail = {
  to: (value: AttemptDetail = NO_DETAIL) => {
    const known: Partial<Record<keyof AttemptDetail, unknown>> = {};
    for (const key of DETAILS) if (value[key] !== NO_DETAIL[key]) known[key] = value[key];
    return JSON.stringify(known);
  },
  from: (text: string): AttemptDetail =>
    text === '' ? NO_DETAIL : { ...NO_DETAIL, ...(JSON.parse(text) as Partial<AttemptDetail>) },
};

/** One attempt to make a delivery, and its result. */
@Entity('delivery_attempts')
export class DeliveryAttempt {
  @PrimaryIdColumn() deliveryId: string;
  @PrimaryIntColumn() number: number;
  @BigColumn() startAt: number;
  @IntColumn() durationMs: number;
  /** Time to the first byte of the reply; -1 if there was no reply. */
  @IntColumn() firstByteMs: number;
  /** 0 if there was no reply. */
  @IntColumn() statusCode: number;
  /** The kind of failure, as in OutboundFailure; empty if the call was completed. */
  @TextColumn(32) errorClass: string;
  /** A sentence for people: what went wrong, or what happened to the reply. */
  @TextColumn(255) note: string;
  /** The first 4 KiB of the reply. */
  @LongTextColumn() reply: string;
  @TextColumn(2_500, { default: '', transformer: detail }) detail: AttemptDetail;
}

/** Narrows a recovery. What is undefined does not matter. */
export interface RecoveryFilter {
  /** Deliveries of this kind, if the recovery has no owner. */
  readonly kind?: string;
  /** Deliveries in these stored statuses. */
  readonly statuses?: readonly DeliveryStatus[];
  readonly lane?: string;
  /** The error class of the last attempt. */
  readonly error?: string;
  /** The HTTP status of the last attempt, from the first to the last of these. */
  readonly codes?: readonly [number, number];
}

/** A recovery: sends missed deliveries of an owner, or of all owners, again, at a limited rate. It survives restarts. */
@Entity('delivery_recoveries')
@Index('ix_delivery_recoveries_owner', ['ownerId', 'createAt'])
@Index('ix_delivery_recoveries_finish', ['finishAt'])
export class DeliveryRecovery {
  @PrimaryIdColumn() id: string;
  /** Empty for a recovery over all owners. */
  @IdColumn() ownerId: string;
  @BigColumn() createAt: number;
  /** Deliveries created at or after it. */
  @BigColumn() since: number;
  /** Deliveries created before it: the time of the request. */
  @BigColumn() until: number;
  /** How many deliveries there were to send again. */
  @IntColumn() total: number;
  /** How many of them waited for their next attempt. */
  @BigColumn({ default: 0 }) waiting: number;
  @IntColumn() requeued: number;
  /** All deliveries up to this `seq` are done. */
  @BigColumn() cursorSeq: number;
  /** 0 while it is running. */
  @BigColumn() finishAt: number;
  /** Somebody ended it before its end. */
  @BooleanColumn({ default: false }) isStopped: boolean;
  /** A RecoveryFilter as JSON; empty if there is none. */
  @TextColumn(1_000, { default: '' }) filter: string;
}
