import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  IntColumn,
  JsonColumn,
  LongTextColumn,
  OptionalLongJsonColumn,
  PrimaryIdColumn,
  Sealed,
  TextColumn,
} from '../platform/database/columns.js';
import { PULL_URL } from '../delivery/dispatch/delivery-kind.js';
import type { HookAuth } from './credentials/hook-auth.js';
import type { HookHeader } from './credentials/hook-headers.js';
import { TRIGGERED } from './events/hook-events.js';

const names = {
  to: (value: readonly string[] | undefined) => value?.join(' '),
  from: (text: string) => text.split(' '),
};

/** How the deliveries of a webhook reach its receivers. */
export const DELIVERY_MODES = ['push', 'pull'] as const;
export type DeliveryMode = (typeof DELIVERY_MODES)[number];

/** Empty, or what is delivered in order. */
export const ORDERINGS: readonly string[] = ['', 'channel'];

/** The URLs of the deliveries of a webhook. */
export function urlsOf({ delivery, callbackUrls }: OutgoingHook): readonly string[] {
  return delivery === 'pull' ? [PULL_URL] : callbackUrls;
}

/**
 * An outgoing webhook (docs/contract/outgoing-webhooks.md#record). Its secrets are stored encrypted.
 */
@Entity('outgoing_webhooks')
@Index('ix_outgoing_webhooks_all', ['deleteAt', 'createAt', 'id', 'teamId', 'creatorId', 'channelId'])
@Index('ix_outgoing_webhooks_of_team', ['teamId', 'deleteAt', 'createAt', 'id', 'creatorId', 'channelId'])
@Index('ix_outgoing_webhooks_of_channel', ['channelId', 'deleteAt', 'createAt', 'id', 'creatorId', 'teamId'])
@Index('ix_outgoing_webhooks_of_creator', ['creatorId', 'deleteAt', 'createAt', 'id', 'teamId', 'channelId'])
@Index('ix_outgoing_webhooks_set_by', ['setBy'])
@Index('ix_outgoing_webhooks_bot', ['botUserId'])
export class OutgoingHook {
  @PrimaryIdColumn() id: string;
  @BigColumn() createAt: number;
  @BigColumn() updateAt: number;
  @BigColumn() deleteAt: number;
  @IdColumn() creatorId: string;
  /** The user who last set its channel or callback URLs; empty for local mode. */
  @IdColumn({ default: '' }) setBy: string;
  /** Empty for the whole team. */
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
  /** Replaced secrets that still sign, with their expiry; empty if none. */
  @Sealed() @TextColumn(512) sealedPreviousSecret: string;
  /** When the last of them stops signing. */
  @BigColumn() previousSigningUntil: number;
  @BigColumn() disabledAt: number;
  @TextColumn(128) disabledReason: string;
  /** Disabled callback URLs; the hook is disabled once all of them are. */
  @JsonColumn() disabledUrls: string[];
  /** When each failing or disabled callback URL first failed after its last success, in milliseconds since the epoch. */
  @JsonColumn() failingUrls: Record<string, number>;
  /** When a call to a failing URL last failed, accurate to an hour; 0 if none has. */
  @BigColumn({ default: 0 }) lastFailureAt: number;
  /** When it was last enabled; 0 if it was never disabled. */
  @BigColumn({ default: 0 }) enabledAt: number;
  /** The pause reason as last announced; empty if not paused. */
  @TextColumn(32, { default: '' }) announcedPause: string;
  /** Additional headers of its calls, without secret values; null if there are none. */
  @OptionalLongJsonColumn() headers: readonly HookHeader[] | null;
  /** The secret values of the headers; empty if there are none. */
  @Sealed() @LongTextColumn({ default: '' }) sealedHeaders: string;
  /** How its calls authenticate, without the secret; null if they do not. */
  @OptionalLongJsonColumn() auth: HookAuth | null;
  @Sealed() @LongTextColumn({ default: '' }) sealedAuth: string;
  @TextColumn(512, { default: TRIGGERED, transformer: names }) events: string[];
  /** The bot of its bot events, which also writes its replies to them; empty if none. */
  @IdColumn({ default: '' }) botUserId: string;
  /** Whether messages of bots and webhooks are events too. */
  @BooleanColumn({ default: false }) includeBots: boolean;
  /** Whether the server calls its URLs, or consumers pull its deliveries. */
  @TextColumn(8, { default: 'push' }) delivery: DeliveryMode;
  /** One of ORDERINGS: which calls to a URL are made one after the other. */
  @TextColumn(16, { default: '' }) ordering: string;
  /** Maximum number of calls per second; 0 for no limit. */
  @IntColumn({ default: 0 }) requestsPerSecond: number;
}
