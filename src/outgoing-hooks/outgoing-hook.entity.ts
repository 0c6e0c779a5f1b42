import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  IdColumn,
  IntColumn,
  JsonColumn,
  LongTextColumn,
  PrimaryIdColumn,
  Sealed,
  TextColumn,
} from '../platform/database/columns.js';

/**
 * An outgoing webhook (docs/contract/outgoing-webhooks.md#record). Its secrets are sealed: the row alone tells
 * nobody.
 */
@Entity('outgoing_webhooks')
@Index('ix_outgoing_webhooks_team', ['teamId', 'createAt', 'id'])
@Index('ix_outgoing_webhooks_create', ['createAt', 'id'])
@Index('ix_outgoing_webhooks_channel', ['channelId', 'createAt', 'id'])
export class OutgoingHook {
  @PrimaryIdColumn() id: string;
  @BigColumn() createAt: number;
  @BigColumn() updateAt: number;
  @BigColumn() deleteAt: number;
  @IdColumn() creatorId: string;
  /** Empty: the whole team. */
  @IdColumn() channelId: string;
  @IdColumn() teamId: string;
  @JsonColumn() triggerWords: string[];
  @IntColumn() triggerWhen: number;
  @JsonColumn() callbackUrls: string[];
  @TextColumn(64) displayName: string;
  @TextColumn(500) description: string;
  @TextColumn(128) contentType: string;
  @TextColumn(64) username: string;
  @LongTextColumn() iconUrl: string;
  @Sealed() @TextColumn(512) sealedToken: string;
  @Sealed() @TextColumn(512) sealedSigningSecret: string;
  /** Those that sign as well, each until its end, the last of them until previousSigningUntil; empty when there is none. */
  @Sealed() @TextColumn(512) sealedPreviousSecret: string;
  @BigColumn() previousSigningUntil: number;
  /** 0 while the hook is on. */
  @BigColumn() disabledAt: number;
  @TextColumn(128) disabledReason: string;
  /** Callback URLs that are given up; the hook is off once all of them are. */
  @JsonColumn() disabledUrls: string[];
  /** Since when the attempts to a callback URL fail without one success between, in milliseconds since the epoch. */
  @JsonColumn() failingUrls: Record<string, number>;
}
