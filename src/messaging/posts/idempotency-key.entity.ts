import { Entity, Index } from 'typeorm';
import { BigColumn, JsonColumn, PrimaryTextColumn } from '../../platform/database/columns.js';

/**
 * What was answered to a request that carried a key; kept for 24 h and committed with the posts
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
