import type { ClientSettings } from '../../platform/config/all-settings.js';
import { type AboutSettings, type Env, readBoolean } from '../../platform/config/parse.js';

/** Whether webhooks may override the username and icon of their posts. Throws SettingError. */
export class PostsSettings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Features: {
      ENABLE_POST_USERNAME_OVERRIDE: 'Webhooks may post under another name',
      ENABLE_POST_ICON_OVERRIDE: 'Webhooks may post with another picture',
    },
  };

  readonly enablePostUsernameOverride: boolean;
  readonly enablePostIconOverride: boolean;

  constructor(env: Env) {
    this.enablePostUsernameOverride = readBoolean(env, 'ENABLE_POST_USERNAME_OVERRIDE', true);
    this.enablePostIconOverride = readBoolean(env, 'ENABLE_POST_ICON_OVERRIDE', true);
  }
  /** The settings that clients read at startup. */
  forClients(): ClientSettings {
    return {
      EnablePostUsernameOverride: this.enablePostUsernameOverride,
      EnablePostIconOverride: this.enablePostIconOverride,
    };
  }
}
