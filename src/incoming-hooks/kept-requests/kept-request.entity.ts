import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  IntColumn,
  JsonColumn,
  LongTextColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../platform/database/columns.js';

export interface KeptContent {
  readonly headers: Readonly<Record<string, string>>;
  /** The query parameter `payload`, or empty. */
  readonly queryPayload: string;
  readonly body: string;
  readonly encoding: 'utf8' | 'base64';
  readonly postIds: readonly string[];
  /** The webhook's channel when it rejected the call; absent for posted calls. */
  readonly channelId?: string | undefined;
}

/** A call of an incoming webhook, kept temporarily (docs/contract/incoming-webhooks.md#kept-calls). */
@Entity('incoming_webhook_requests')
@Index('ix_incoming_webhook_requests_hook', ['hookId', 'createAt', 'id'])
@Index('ix_incoming_webhook_requests_create', ['createAt', 'id'])
export class KeptRequest {
  /** The request ID returned in the response. */
  @PrimaryIdColumn() id: string;
  @IdColumn() hookId: string;
  @BigColumn() createAt: number;
  @IntColumn() status: number;
  /** The inner error ID; empty if the call was posted. */
  @TextColumn(128) errorId: string;
  @LongTextColumn() message: string;
  @IntColumn() bodySize: number;
  @BooleanColumn() isCut: boolean;
  @IntColumn() notUnderstood: number;
  @JsonColumn() content: KeptContent;
}
