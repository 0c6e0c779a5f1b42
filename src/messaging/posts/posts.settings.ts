import type { ClientSettings } from '../../platform/config/all-settings.js';
import { type Env, readBoolean } from '../../platform/config/parse.js';

/** What posts of webhooks may say of their author. Throws SettingError naming the variable. */
export class PostsSettings {
  readonly enablePostUsernameOverride: boolean;
  readonly enablePostIconOverride: boolean;

  constructor(env: Env) {
    this.enablePostUsernameOverride = readBoolean(env, 'ENABLE_POST_USERNAME_OVERRIDE', true);
    this.enablePostIconOverride = readBoolean(env, 'ENABLE_POST_ICON_OVERRIDE', true);
  }
  /** What clients read at start. */
  forClients(): ClientSettings {
    return {
      EnablePostUsernameOverride: this.enablePostUsernameOverride,
      EnablePostIconOverride: this.enablePostIconOverride,
    };
  }
}
