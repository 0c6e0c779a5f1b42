import type { ClientSettings } from '../../platform/config/all-settings.js';
import { type Env, readBoolean } from '../../platform/config/parse.js';

/** Which ways to authenticate are enabled. Throws SettingError naming the variable. */
export class AuthSettings {
  readonly enableUserAccessTokens: boolean;

  constructor(env: Env) {
    this.enableUserAccessTokens = readBoolean(env, 'ENABLE_USER_ACCESS_TOKENS', true);
  }
  /** The settings that clients read at start. */
  forClients(): ClientSettings {
    return { EnableUserAccessTokens: this.enableUserAccessTokens };
  }
}
