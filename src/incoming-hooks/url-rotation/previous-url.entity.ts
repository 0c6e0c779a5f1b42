import { Entity, Index } from 'typeorm';
import { BigColumn, IdColumn, IntColumn, PrimaryIdColumn } from '../../platform/database/columns.js';

/** An earlier URL of a webhook (docs/contract/incoming-webhooks.md#rotate-the-url). */
@Entity('incoming_webhook_previous_urls')
@Index('ix_incoming_webhook_previous_urls_hook', ['hookId', 'createAt'])
@Index('ix_incoming_webhook_previous_urls_expires', ['expiresAt'])
export class PreviousUrl {
  /** The ID that the webhook had. */
  @PrimaryIdColumn() id: string;
  /** The ID that it has now. */
  @IdColumn() hookId: string;
  /** The time of the rotation. */
  @BigColumn() createAt: number;
  @BigColumn() expiresAt: number;
  /** The number of calls since the rotation. */
  @IntColumn() uses: number;
  /** The time of the last call; 0: never. */
  @BigColumn() lastUsed: number;
}
