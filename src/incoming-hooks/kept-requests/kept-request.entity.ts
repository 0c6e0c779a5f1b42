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

/** What a call carried, as far as it is kept. */
export interface KeptContent {
  readonly headers: Readonly<Record<string, string>>;
  /** The query parameter `payload`, or empty. */
  readonly queryPayload: string;
  readonly body: string;
  readonly encoding: 'utf8' | 'base64';
  readonly postIds: readonly string[];
  /** Where the webhook was when it refused the call; absent of calls that were posted. */
  readonly channelId?: string | undefined;
}

/** A call of an incoming webhook that is kept for a while (docs/contract/incoming-webhooks.md#kept-calls). */
@Entity('incoming_webhook_requests')
@Index('ix_incoming_webhook_requests_hook', ['hookId', 'createAt', 'id'])
@Index('ix_incoming_webhook_requests_create', ['createAt', 'id'])
export class KeptRequest {
  /** The id of the request, which its answer named. */
  @PrimaryIdColumn() id: string;
  @IdColumn() hookId: string;
  @BigColumn() createAt: number;
  @IntColumn() status: number;
  /** The inner id of the error; empty when the call was posted. */
  @TextColumn(128) errorId: string;
  @LongTextColumn() message: string;
  /** The bytes that the body had when it came. */
  @IntColumn() bodySize: number;
  @BooleanColumn() isCut: boolean;
  /** How many blocks of the payload were not understood. */
  @IntColumn() notUnderstood: number;
  @JsonColumn() content: KeptContent;
}
