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
import type { LimitChange, Standing } from './call-limits.js';

/** The stored statuses. `retrying` means attempted at least once and due again later. */
export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
/** The statuses of an unsettled delivery. First attempts (`pending`) take precedence over `retrying` ones. */
export const OPEN_STATUSES = ['pending', 'retrying'] as const;
export type OpenStatus = (typeof OPEN_STATUSES)[number];

export function isOpen(status: DeliveryStatus): status is OpenStatus {
  return status === 'pending' || status === 'retrying';
}

/**
 * A call to an endpoint. The row is the source of truth and is stored before the call is made
 * (docs/architecture.md#outgoing-webhooks). The `kind` module builds the call and handles its outcome.
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
  /** Creation order, used by every list and cursor. */
  @BigColumn() seq: number;
  @TextColumn(32) kind: string;
  /** The webhook or connection it belongs to. */
  @IdColumn() ownerId: string;
  /** The post it is about. */
  @IdColumn() subjectId: string;
  @TextColumn(1024) url: string;
  /** The endpoint's origin, or the key of an ordered lane. Deliveries of a lane share a bulkhead. */
  @TextColumn(300) lane: string;
  /** Groups deliveries of one webhook to one URL, or to pull in order; flows of a lane alternate. Empty in ordered lanes. */
  @TextColumn(16, { default: '' }) flow: string;
  /** The body at creation time, without the part stored in `delivery_payloads` if it shares one. */
  @JsonColumn() body: JsonObject;
  @BooleanColumn({ default: false }) sharesPayload: boolean;
  @TextColumn(128) contentType: string;
  @TextColumn(16) status: DeliveryStatus;
  /** Why the delivery failed or was cancelled. */
  @TextColumn(64) reason: string;
  @IntColumn() attempts: number;
  /** The position in the retry schedule; a manual retry resets it to 0. */
  @IntColumn() step: number;
  @BigColumn() nextAttemptAt: number;
  @BigColumn() createAt: number;
  /** 0 while the delivery is open. */
  @BigColumn() finishAt: number;
  /** The HTTP status of the last attempt; 0 if there was none. */
  @IntColumn() lastCode: number;
  /** The error class of the last attempt; empty if there was none. */
  @TextColumn(32) lastError: string;
  /** The post made from the receiver's reply; empty if none. */
  @IdColumn() replyPostId: string;
  /** In an ordered lane, where `nextAttemptAt` is its place: when it is due again after a failure; otherwise 0. */
  @BigColumn({ default: 0 }) retryAt: number;
}

/** The part of the body shared by all deliveries of one kind and subject. Deleted with the last of them. */
@Entity('delivery_payloads')
export class DeliveryPayload {
  @PrimaryIdColumn() subjectId: string;
  @PrimaryTextColumn(32) kind: string;
  @JsonColumn() body: JsonObject;
}

/** The new deliveries of one kind about one subject, and the shared part of their bodies. */
export interface DeliveriesOfSubject {
  readonly deliveries: readonly Delivery[];
  readonly shared: JsonObject;
}

/** Details stored for a call in addition to its result, for troubleshooting. */
export interface AttemptDetail extends CallTiming {
  /** The reply's headers, up to 2 KiB, with secrets redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** Number of decompressed body bytes read. */
  readonly replyBytes: number;
  /** The body was longer than what was read. */
  readonly isCut: boolean;
  /** The version of the server that made the call. */
  readonly version: string;
  /** The `traceparent` header of the call; empty if there was none. */
  readonly traceparent: string;
  /** Identifies the request that settled a pulled delivery; empty for a call. */
  readonly settledBy: string;
}

/** The first version, which did not record itself. */
const FIRST_VERSION = '0.1.0';

/** Defaults for details that are not stored. */
export const NO_DETAIL: AttemptDetail = {
  ...{ nameMs: -1, connectMs: -1, tlsMs: -1, sentMs: -1 },
  ...{ headers: {}, replyBytes: -1, isCut: false },
  ...{ version: FIRST_VERSION, traceparent: '', settledBy: '' },
};

const DETAILS = Object.keys(NO_DETAIL) as (keyof AttemptDetail)[];

/** Omits values equal to NO_DETAIL to keep rows short, because there is one row per attempt. */
const detail = {
  to: (value: AttemptDetail = NO_DETAIL) => {
    const known: Partial<Record<keyof AttemptDetail, unknown>> = {};
    for (const key of DETAILS) if (value[key] !== NO_DETAIL[key]) known[key] = value[key];
    return JSON.stringify(known);
  },
  from: (text: string): AttemptDetail =>
    text === '' ? NO_DETAIL : { ...NO_DETAIL, ...(JSON.parse(text) as Partial<AttemptDetail>) },
};

/** An attempt to make a delivery, and its result. */
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
  /** The OutboundFailure error class; empty if the call completed. */
  @TextColumn(32) errorClass: string;
  /** A human-readable sentence: what went wrong, or what happened to the reply. */
  @TextColumn(255) note: string;
  /** The first 4 KiB of the reply. */
  @LongTextColumn() reply: string;
  @TextColumn(2_500, { default: '', transformer: detail }) detail: AttemptDetail;
}

/** The right of a consumer to settle a delivery that it has pulled. Deleted when the delivery is settled or retried. */
@Entity('delivery_leases')
@Index('ix_delivery_leases_id', ['id'], { unique: true })
@Index('ix_delivery_leases_owner', ['ownerId', 'until'])
export class DeliveryLease {
  @PrimaryIdColumn() deliveryId: string;
  @IdColumn() id: string;
  /** The owner of the delivery. */
  @IdColumn() ownerId: string;
  @BigColumn() startAt: number;
  /** When the delivery may be handed out again. */
  @BigColumn() until: number;
}

/** Narrows a recovery. Undefined fields are ignored. */
export interface RecoveryFilter {
  /** Only deliveries of this kind, if the recovery has no owner. */
  readonly kind?: string;
  /** Only deliveries with these stored statuses. */
  readonly statuses?: readonly DeliveryStatus[];
  readonly lane?: string;
  /** The error class of the last attempt. */
  readonly error?: string;
  /** The HTTP status range of the last attempt, inclusive. */
  readonly codes?: readonly [number, number];
}

/** Resends missed deliveries of one owner or of all owners at a limited rate. Survives restarts. */
@Entity('delivery_recoveries')
@Index('ix_delivery_recoveries_owner', ['ownerId', 'createAt'])
@Index('ix_delivery_recoveries_finish', ['finishAt'])
export class DeliveryRecovery {
  @PrimaryIdColumn() id: string;
  /** Empty for a recovery over all owners. */
  @IdColumn() ownerId: string;
  @BigColumn() createAt: number;
  /** Includes deliveries created at or after this time. */
  @BigColumn() since: number;
  /** Includes deliveries created before this time, at the latest the time of the request. */
  @BigColumn() until: number;
  /** Number of deliveries to resend. */
  @IntColumn() total: number;
  /** How many of them were waiting for their next attempt. */
  @BigColumn({ default: 0 }) waiting: number;
  @IntColumn() requeued: number;
  /** All deliveries up to this `seq` have been handled. */
  @BigColumn() cursorSeq: number;
  /** 0 while the recovery is running. */
  @BigColumn() finishAt: number;
  /** The recovery was stopped early. */
  @BooleanColumn({ default: false }) isStopped: boolean;
  /** A RecoveryFilter as JSON; empty if there is no filter. */
  @TextColumn(1_000, { default: '' }) filter: string;
}

/** An endpoint's call limit as last recorded by the process that calls it. Informational only. */
@Entity('lane_limits')
@Index('ix_lane_limits_noted', ['notedAt'])
export class LaneLimit {
  @PrimaryTextColumn(300) lane: string;
  @IntColumn() callsLimit: number;
  @TextColumn(16) standing: Standing;
  /** 0 while the endpoint is not paused. */
  @BigColumn() pausedUntil: number;
  @BigColumn() notedAt: number;
  /** Newest first. */
  @JsonColumn() changes: readonly LimitChange[];
}

/** When an owner with a limited rate has used up its calls. */
@Entity('call_rates')
export class CallRate {
  @PrimaryIdColumn() ownerId: string;
  /** Microseconds since the epoch, by the clock of the database. */
  @BigColumn() usedUntil: number;
}

/** The process that works on a lane, where several processes share a database. */
@Entity('lane_turns')
@Index('ix_lane_turns_holder', ['holder'])
export class LaneTurn {
  @PrimaryTextColumn(300) lane: string;
  /** Increases with each turn, even after the row was deleted, because it starts at the current time. */
  @BigColumn() epoch: number;
  /** The process that has the turn; empty if none does. */
  @IdColumn() holder: string;
  /** No other process takes the lane before this database time. */
  @BigColumn() until: number;
}
