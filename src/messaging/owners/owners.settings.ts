import { type Env, readBoolean } from '../../platform/config/parse.js';

/** What becomes of webhooks whose owner is gone. Throws SettingError naming the variable. */
export class OwnersSettings {
  readonly disableOrphanedHooks: boolean;

  constructor(env: Env) {
    this.disableOrphanedHooks = readBoolean(env, 'DISABLE_ORPHANED_HOOKS', false);
  }
}
