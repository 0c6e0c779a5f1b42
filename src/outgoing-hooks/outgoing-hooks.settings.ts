import type { ClientSettings } from '../platform/config/all-settings.js';
import { type Env, readBoolean, readDuration } from '../platform/config/parse.js';

const DAY_MS = 86_400_000;

/** Whether outgoing webhooks are on, and when an endpoint or a secret is given up. Throws SettingError naming the variable. */
export class OutgoingHooksSettings {
  readonly enableOutgoingWebhooks: boolean;
  /** An endpoint that has failed for so long is given up. */
  readonly outgoingDisableAfterMs: number;
  /** How long the old signing secret signs beside the new one. */
  readonly signingOverlapMs: number;

  constructor(env: Env) {
    this.enableOutgoingWebhooks = readBoolean(env, 'ENABLE_OUTGOING_WEBHOOKS', true);
    this.outgoingDisableAfterMs = readDuration(env, 'OUTGOING_DISABLE_AFTER', '5d', 1, 365 * DAY_MS);
    this.signingOverlapMs = readDuration(env, 'SIGNING_OVERLAP', '24h', 0, 365 * DAY_MS);
  }

  /** What clients read at start. */
  forClients(): ClientSettings {
    return { EnableOutgoingWebhooks: this.enableOutgoingWebhooks };
  }
}
