import { type AboutSettings, type Env, readBoolean } from '../platform/config/parse.js';

/** Whether hook schedules are on. Throws SettingError with the name of the variable. */
export class HookSchedulesSettings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Features: { ENABLE_HOOK_SCHEDULES: 'Whether hook schedules are available' },
  };

  readonly enableHookSchedules: boolean;

  constructor(env: Env) {
    this.enableHookSchedules = readBoolean(env, 'ENABLE_HOOK_SCHEDULES', true);
  }
}
