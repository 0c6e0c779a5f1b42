import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  LongTextColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../platform/database/columns.js';

/** An incoming webhook (docs/contract/incoming-webhooks.md#record). Its ID is a secret: it allows posting. */
@Entity('incoming_webhooks')
@Index('ix_incoming_webhooks_all', ['deleteAt', 'createAt', 'id', 'teamId', 'userId', 'channelId'])
@Index('ix_incoming_webhooks_of_team', ['teamId', 'deleteAt', 'createAt', 'id', 'userId', 'channelId'])
@Index('ix_incoming_webhooks_of_user', ['userId', 'deleteAt', 'createAt', 'id', 'teamId', 'channelId'])
@Index('ix_incoming_webhooks_channel', ['channelId'])
export class IncomingHook {
  @PrimaryIdColumn() id: string;
  @BigColumn() createAt: number;
  @BigColumn() updateAt: number;
  @BigColumn() deleteAt: number;
  @IdColumn() userId: string;
  @IdColumn() channelId: string;
  @IdColumn() teamId: string;
  @TextColumn(64) displayName: string;
  @TextColumn(500) description: string;
  @TextColumn(64) username: string;
  @LongTextColumn() iconUrl: string;
  @BooleanColumn() channelLocked: boolean;
  /** Whether posted calls are kept too (docs/contract/incoming-webhooks.md#kept-calls). */
  @BooleanColumn({ default: false }) keepRequests: boolean;
  @BigColumn() lastUsed: number;
  /** How calls are read (docs/contract/incoming-webhooks.md#formats). */
  @TextColumn(32, { default: 'mattermost' }) format: string;
  /** Liquid, for the format `template`. */
  @LongTextColumn({ default: '' }) template: string;
  /**
   * The creator, or the last user to change it who was neither its owner nor had the system permission for
   * that. Empty for the system: first start and local mode.
   */
  @IdColumn({ default: '' }) makerId: string;
}
