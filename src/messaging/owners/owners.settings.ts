import { type AboutSettings, type Env, readBoolean } from '../../platform/config/parse.js';

/** How to handle webhooks whose owner is gone. Throws SettingError naming the variable. */
export class OwnersSettings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Features: {
      DISABLE_ORPHANED_HOOKS:
        'Webhooks whose owner is deactivated or has left the team neither post nor fire',
    },
  };

  readonly disableOrphanedHooks: boolean;

  constructor(env: Env) {
    this.disableOrphanedHooks = readBoolean(env, 'DISABLE_ORPHANED_HOOKS', false);
  }
}
