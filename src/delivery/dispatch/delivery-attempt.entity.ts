import { Entity } from 'typeorm';
import {
  BigColumn,
  IntColumn,
  LongTextColumn,
  PrimaryIdColumn,
  PrimaryIntColumn,
  TextColumn,
} from '../../platform/database/columns.js';

/** One call that was made for a delivery, and what came of it. */
@Entity('delivery_attempts')
export class DeliveryAttempt {
  @PrimaryIdColumn() deliveryId: string;
  @PrimaryIntColumn() number: number;
  @BigColumn() startAt: number;
  @IntColumn() durationMs: number;
  /** Until the first byte of the reply; -1 when none came. */
  @IntColumn() firstByteMs: number;
  /** 0 when no reply came. */
  @IntColumn() statusCode: number;
  /** Empty when the call went through; else the kind of failure, as in OutboundFailure. */
  @TextColumn(32) errorClass: string;
  /** A sentence for people: what went wrong, or what became of the reply. */
  @TextColumn(255) note: string;
  /** The first 4 KiB of the reply. */
  @LongTextColumn() reply: string;
}
