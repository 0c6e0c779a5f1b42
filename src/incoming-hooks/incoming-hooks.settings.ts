import type { ClientSettings } from '../platform/config/all-settings.js';
import { type Env, readBoolean } from '../platform/config/parse.js';

/** The settings of incoming webhooks. Throws SettingError, naming the variable. */
export class IncomingHooksSettings {
  readonly enableIncomingWebhooks: boolean;

  constructor(env: Env) {
    this.enableIncomingWebhooks = readBoolean(env, 'ENABLE_INCOMING_WEBHOOKS', true);
  }

  /** The settings that clients read when they start. */
  forClients(): ClientSettings {
    return { EnableIncomingWebhooks: this.enableIncomingWebhooks };
  }
}
