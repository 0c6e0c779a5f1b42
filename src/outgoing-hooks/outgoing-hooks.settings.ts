import type { ClientSettings } from '../platform/config/all-settings.js';
import { type Env, readBoolean, readDuration } from '../platform/config/parse.js';

const DAY_MS = 86_400_000;

/** The settings of outgoing webhooks. Throws SettingError, naming the variable. */
export class OutgoingHooksSettings {
  readonly enableOutgoingWebhooks: boolean;
  /** An endpoint is disabled after failing for this long. */
  readonly outgoingDisableAfterMs: number;
  /** How long a replaced signing secret keeps signing. */
  readonly signingOverlapMs: number;

  constructor(env: Env) {
    this.enableOutgoingWebhooks = readBoolean(env, 'ENABLE_OUTGOING_WEBHOOKS', true);
    this.outgoingDisableAfterMs = readDuration(env, 'OUTGOING_DISABLE_AFTER', '5d', 1, 365 * DAY_MS);
    this.signingOverlapMs = readDuration(env, 'SIGNING_OVERLAP', '24h', 0, 365 * DAY_MS);
  }

  /** The settings that clients read when they start. */
  forClients(): ClientSettings {
    return { EnableOutgoingWebhooks: this.enableOutgoingWebhooks };
  }
}
