import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  IntColumn,
  JsonColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../platform/database/columns.js';
import type { JsonObject } from '../../platform/common/json.js';

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
  /**
   * Within a lane, deliveries of one webhook to one URL: flows take turns. Empty in ordered lanes, and for deliveries of
   * earlier versions, which are one flow.
   */
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
