import { Entity } from 'typeorm';
import {
  BigColumn,
  IntColumn,
  LongTextColumn,
  PrimaryIdColumn,
  PrimaryIntColumn,
  TextColumn,
} from '../../platform/database/columns.js';

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
}
