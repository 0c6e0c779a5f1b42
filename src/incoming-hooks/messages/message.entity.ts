import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  PrimaryIdColumn,
  PrimaryTextColumn,
} from '../../platform/database/columns.js';

/** The message of a key that the sender has chosen (docs/contract/incoming-webhooks.md#keys). */
@Entity('incoming_webhook_keys')
@Index('ix_incoming_webhook_keys_used', ['usedAt'])
@Index('ix_incoming_webhook_keys_origin', ['originId'])
export class MessageKey {
  /** SHA-256 (hex) of the webhook's origin and the key. */
  @PrimaryTextColumn(64) keyHash: string;
  @IdColumn() originId: string;
  /** The first post of the message. */
  @IdColumn() postId: string;
  /** Updated only when it is off by more than a hundredth of the lifetime. */
  @BigColumn() usedAt: number;
  /** Whether the last call resolved the message, so that the next one begins another. */
  @BooleanColumn({ default: false }) isResolved: boolean;
}

/** A post of a message that was split, except for the first one, which identifies the message. */
@Entity('incoming_webhook_pieces')
@Index('ix_incoming_webhook_pieces_message', ['messageId'])
export class MessagePiece {
  @PrimaryIdColumn() postId: string;
  @IdColumn() messageId: string;
}
