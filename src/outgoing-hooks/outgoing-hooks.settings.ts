import type { ClientSettings } from '../platform/config/all-settings.js';
import {
  type AboutSettings,
  type Env,
  readBoolean,
  readDuration,
  readInteger,
} from '../platform/config/parse.js';

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

/** The settings of outgoing webhooks. Throws SettingError, naming the variable. */
export class OutgoingHooksSettings {
  static readonly about: AboutSettings = {
    Features: { ENABLE_OUTGOING_WEBHOOKS: 'Outgoing webhooks' },
    Limits: {
      OUTGOING_WEBHOOKS_PER_TEAM: 'Maximum outgoing webhooks per team',
      OUTGOING_WEBHOOKS_PER_USER:
        "Maximum outgoing webhooks per user and team, including their bots', except for users who manage others' webhooks",
      OUTGOING_PER_MESSAGE: 'Maximum calls that one message triggers',
      OUTGOING_BYTES_PER_MESSAGE: 'Maximum bytes that the calls of one message add to its commit',
    },
    'Outgoing calls': {
      OUTGOING_DISABLE_AFTER: 'A callback URL that fails for this long is disabled',
    },
  };

  readonly enableOutgoingWebhooks: boolean;
  readonly outgoingWebhooksPerTeam: number;
  readonly outgoingWebhooksPerUser: number;
  readonly outgoingPerMessage: number;
  readonly outgoingBytesPerMessage: number;
  readonly outgoingDisableAfterMs: number;

  constructor(env: Env) {
    this.enableOutgoingWebhooks = readBoolean(env, 'ENABLE_OUTGOING_WEBHOOKS', true);
    this.outgoingWebhooksPerTeam = readInteger(env, 'OUTGOING_WEBHOOKS_PER_TEAM', 1_000, 1, 1_000_000);
    this.outgoingWebhooksPerUser = readInteger(env, 'OUTGOING_WEBHOOKS_PER_USER', 200, 1, 1_000_000);
    this.outgoingPerMessage = readInteger(env, 'OUTGOING_PER_MESSAGE', 500, 1, 1_000_000);
    this.outgoingBytesPerMessage = readInteger(
      env,
      'OUTGOING_BYTES_PER_MESSAGE',
      4 * MIB,
      64 * 1024,
      1024 * MIB,
    );
    this.outgoingDisableAfterMs = readDuration(env, 'OUTGOING_DISABLE_AFTER', '5d', 1, 365 * DAY_MS);
  }

  forClients(): ClientSettings {
    return { EnableOutgoingWebhooks: this.enableOutgoingWebhooks };
  }
}
