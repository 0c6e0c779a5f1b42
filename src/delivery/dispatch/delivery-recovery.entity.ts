import { Entity, Index } from 'typeorm';
import { BigColumn, IdColumn, IntColumn, PrimaryIdColumn } from '../../platform/database/columns.js';

/** An order to send again what an owner's endpoint missed. It is worked off at a pace, and survives a restart. */
@Entity('delivery_recoveries')
@Index('ix_delivery_recoveries_owner', ['ownerId', 'createAt'])
@Index('ix_delivery_recoveries_finish', ['finishAt'])
export class DeliveryRecovery {
  @PrimaryIdColumn() id: string;
  @IdColumn() ownerId: string;
  @BigColumn() createAt: number;
  /** Deliveries created at or after it. */
  @BigColumn() since: number;
  /** Deliveries created before it: the moment of the order at the latest. */
  @BigColumn() until: number;
  /** How many there were to send again. */
  @IntColumn() total: number;
  @IntColumn() requeued: number;
  /** All up to this place in the order are done. */
  @BigColumn() cursorSeq: number;
  /** 0 while it is going on. */
  @BigColumn() finishAt: number;
}
