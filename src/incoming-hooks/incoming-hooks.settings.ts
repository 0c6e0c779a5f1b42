import type { ClientSettings } from '../platform/config/all-settings.js';
import {
  type AboutSettings,
  type Env,
  readBoolean,
  readDuration,
  readInteger,
} from '../platform/config/parse.js';

const KEY_LIFETIME = { hourMs: 3_600_000, decadeMs: 3_650 * 86_400_000 };

export const MAX_URL_OVERLAP_MS = 30 * 86_400_000;
export const MAX_CALLS_PER_MINUTE = 1_000_000;

/** The settings of incoming webhooks. Throws SettingError, naming the variable. */
export class IncomingHooksSettings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Features: {
      ENABLE_INCOMING_WEBHOOKS: 'Incoming webhooks',
      SHARED_WEBHOOK_DIRECT_MESSAGES:
        'Incoming webhooks may send direct messages even if [others can see their URLs](contract/incoming-webhooks.md#target)',
    },
    Limits: {
      INCOMING_WEBHOOKS_PER_TEAM: 'Maximum incoming webhooks per team',
      INCOMING_WEBHOOKS_PER_USER:
        "Maximum incoming webhooks per user and team, including their bots', except for users who manage others' webhooks",
      INCOMING_WEBHOOK_CALLS_PER_MINUTE:
        'Maximum calls of an incoming webhook per minute, unless the webhook has a limit of its own; 0: no limit',
    },
    Data: {
      INCOMING_WEBHOOK_URL_OVERLAP:
        'How long the previous URL of an incoming webhook works after a [rotation](contract/incoming-webhooks.md#rotate-the-url)',
      INCOMING_WEBHOOK_KEY_LIFETIME:
        'How long a [key](contract/incoming-webhooks.md#keys) of a message is kept after its last use',
    },
  };

  readonly enableIncomingWebhooks: boolean;
  /** Whether webhooks may post their owner's direct messages if other team members can see the URL. */
  readonly sharedWebhookDirectMessages: boolean;
  readonly incomingWebhooksPerTeam: number;
  readonly incomingWebhooksPerUser: number;
  readonly incomingWebhookCallsPerMinute: number;
  readonly incomingWebhookKeyLifetimeMs: number;
  readonly incomingWebhookUrlOverlapMs: number;

  constructor(env: Env) {
    this.enableIncomingWebhooks = readBoolean(env, 'ENABLE_INCOMING_WEBHOOKS', true);
    this.sharedWebhookDirectMessages = readBoolean(env, 'SHARED_WEBHOOK_DIRECT_MESSAGES', true);
    this.incomingWebhooksPerTeam = readInteger(env, 'INCOMING_WEBHOOKS_PER_TEAM', 1_000, 1, 1_000_000);
    this.incomingWebhooksPerUser = readInteger(env, 'INCOMING_WEBHOOKS_PER_USER', 200, 1, 1_000_000);
    this.incomingWebhookCallsPerMinute = readInteger(
      env,
      'INCOMING_WEBHOOK_CALLS_PER_MINUTE',
      0,
      0,
      MAX_CALLS_PER_MINUTE,
    );
    const { hourMs, decadeMs } = KEY_LIFETIME;
    this.incomingWebhookKeyLifetimeMs = readDuration(
      env,
      'INCOMING_WEBHOOK_KEY_LIFETIME',
      '30d',
      hourMs,
      decadeMs,
    );
    this.incomingWebhookUrlOverlapMs = readDuration(
      env,
      'INCOMING_WEBHOOK_URL_OVERLAP',
      '24h',
      0,
      MAX_URL_OVERLAP_MS,
    );
  }

  forClients(): ClientSettings {
    return { EnableIncomingWebhooks: this.enableIncomingWebhooks };
  }
}
