import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  IntColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../platform/database/columns.js';
import type { DeliveryStatus } from './delivery.entity.js';

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
