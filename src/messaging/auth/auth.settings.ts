import type { ClientSettings } from '../../platform/config/all-settings.js';
import { type AboutSettings, type Env, readBoolean } from '../../platform/config/parse.js';

/** The enabled authentication methods. Throws SettingError naming the variable. */
export class AuthSettings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Features: {
      ENABLE_USER_ACCESS_TOKENS: 'Personal access tokens',
    },
  };

  readonly enableUserAccessTokens: boolean;

  constructor(env: Env) {
    this.enableUserAccessTokens = readBoolean(env, 'ENABLE_USER_ACCESS_TOKENS', true);
  }
  forClients(): ClientSettings {
    return { EnableUserAccessTokens: this.enableUserAccessTokens };
  }
}
