import { Entity, Index } from 'typeorm';
import { BigColumn, JsonColumn, PrimaryTextColumn } from '../../platform/database/columns.js';

/**
 * The posts created by a request with an idempotency key. Committed with the posts and kept for 24 h
 * (docs/contract/incoming-webhooks.md#idempotency).
 */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_create', ['createAt'])
export class IdempotencyKey {
  /** SHA-256 (hex) of scope and key. */
  @PrimaryTextColumn(64) keyHash: string;
  @BigColumn() createAt: number;
  @JsonColumn() postIds: string[];
}
