import type { ClientSettings } from '../platform/config/all-settings.js';
import { type Env, readBoolean } from '../platform/config/parse.js';

/** Whether incoming webhooks are on. Throws SettingError naming the variable. */
export class IncomingHooksSettings {
  readonly enableIncomingWebhooks: boolean;

  constructor(env: Env) {
    this.enableIncomingWebhooks = readBoolean(env, 'ENABLE_INCOMING_WEBHOOKS', true);
  }

  /** What clients read at start. */
  forClients(): ClientSettings {
    return { EnableIncomingWebhooks: this.enableIncomingWebhooks };
  }
}
