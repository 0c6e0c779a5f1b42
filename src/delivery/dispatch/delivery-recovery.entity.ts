import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  IntColumn,
  PrimaryIdColumn,
} from '../../platform/database/columns.js';

/** A recovery: sends an owner's missed deliveries again, at a limited rate. It survives restarts. */
@Entity('delivery_recoveries')
@Index('ix_delivery_recoveries_owner', ['ownerId', 'createAt'])
@Index('ix_delivery_recoveries_finish', ['finishAt'])
export class DeliveryRecovery {
  @PrimaryIdColumn() id: string;
  @IdColumn() ownerId: string;
  @BigColumn() createAt: number;
  /** Deliveries created at or after it. */
  @BigColumn() since: number;
  /** Deliveries created before it: the time of the request. */
  @BigColumn() until: number;
  /** How many deliveries there were to send again. */
  @IntColumn() total: number;
  @IntColumn() requeued: number;
  /** All deliveries up to this `seq` are done. */
  @BigColumn() cursorSeq: number;
  /** 0 while it is running. */
  @BigColumn() finishAt: number;
  /** Somebody ended it before its end. */
  @BooleanColumn({ default: false }) isStopped: boolean;
}
