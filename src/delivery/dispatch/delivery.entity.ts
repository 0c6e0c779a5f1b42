import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  IdColumn,
  IntColumn,
  JsonColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../platform/database/columns.js';
import type { JsonObject } from '../../platform/common/json.js';

/** `retrying`: tried at least once, and due again later. */
export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
/** Not settled yet. */
export type OpenStatus = Extract<DeliveryStatus, 'pending' | 'retrying'>;

/**
 * A call that has to be made to an endpoint: the row is the truth, and it exists before the call
 * (docs/architecture.md#a-messages-way-out). `kind` names the module that knows what the body means and what follows
 * from the outcome.
 */
@Entity('deliveries')
@Index('ix_deliveries_lane', ['status', 'lane', 'nextAttemptAt', 'seq'])
@Index('ix_deliveries_owner', ['ownerId', 'seq'])
@Index('ix_deliveries_finish', ['finishAt'])
export class Delivery {
  @PrimaryIdColumn() id: string;
  /** The order of creation: every list and cursor goes by it. */
  @BigColumn() seq: number;
  @TextColumn(32) kind: string;
  /** Whose delivery it is: the hook, the connection. */
  @IdColumn() ownerId: string;
  /** What it is about: the post. */
  @IdColumn() subjectId: string;
  @TextColumn(1024) url: string;
  /** Deliveries of one lane share a bulkhead: the endpoint's origin, or the ordering key of an ordered lane. */
  @TextColumn(300) lane: string;
  /** Frozen when the delivery was made. */
  @JsonColumn() body: JsonObject;
  @TextColumn(128) contentType: string;
  @TextColumn(16) status: DeliveryStatus;
  /** Why it failed or was cancelled. */
  @TextColumn(64) reason: string;
  @IntColumn() attempts: number;
  /** The place in the schedule; a retry by hand starts again at 0. */
  @IntColumn() step: number;
  @BigColumn() nextAttemptAt: number;
  @BigColumn() createAt: number;
  /** 0 while it is pending. */
  @BigColumn() finishAt: number;
  /** The HTTP status of the last attempt; 0 when there was none. */
  @IntColumn() lastCode: number;
  /** The error class of the last attempt; empty when there was none. */
  @TextColumn(32) lastError: string;
  /** The post made of the receiver's reply; empty when there is none. */
  @IdColumn() replyPostId: string;
}
