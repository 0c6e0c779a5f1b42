import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  IntColumn,
  LongTextColumn,
  OptionalJsonColumn,
  PrimaryIdColumn,
  Sealed,
  TextColumn,
} from '../platform/database/columns.js';
import type { StoredVerifier } from './verification/verifier.js';

/** An incoming webhook (docs/contract/incoming-webhooks.md#record). Its ID is a secret: it allows posting. */
@Entity('incoming_webhooks')
@Index('ix_incoming_webhooks_all', ['deleteAt', 'createAt', 'id', 'teamId', 'userId', 'channelId'])
@Index('ix_incoming_webhooks_of_team', ['teamId', 'deleteAt', 'createAt', 'id', 'userId', 'channelId'])
@Index('ix_incoming_webhooks_of_user', ['userId', 'deleteAt', 'createAt', 'id', 'teamId', 'channelId'])
@Index('ix_incoming_webhooks_channel', ['channelId'])
@Index('ux_incoming_webhooks_slack_path', ['aliasPath'], { unique: true })
@Index('ix_incoming_webhooks_expires', ['expiresAt'])
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
  /** When it stops accepting calls; 0: never. */
  @BigColumn({ default: 0 }) expiresAt: number;
  /** How many reminders of the expiry its owner has got. */
  @IntColumn({ default: 0 }) expiryReminders: number;
  /** Its Slack or Rocket.Chat path; its id if there is none, because paths are unique. */
  @TextColumn(110, { name: 'slack_path', default: '' }) aliasPath: string;
  /** Calls per minute; 0: the server's limit. */
  @IntColumn({ default: 0 }) rateLimit: number;
  /** The ID at its creation, which its messages and keys refer to; see `originOf`. */
  @IdColumn({ default: '' }) originId: string;
  /** How calls are verified; null: anyone who knows the id may call (docs/contract/incoming-webhooks.md#verifiers). */
  @OptionalJsonColumn(4096) verifier: StoredVerifier | null;
  /** The secrets of the verifier, newest first; empty if it has none. */
  @Sealed() @TextColumn(2048, { default: '' }) sealedVerifierSecrets: string;
}
