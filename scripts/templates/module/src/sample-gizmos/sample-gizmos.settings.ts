import { type AboutSettings, type Env, readBoolean } from '../platform/config/parse.js';

/** Whether sample gizmos are on. Throws SettingError naming the variable. */
export class SampleGizmosSettings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Features: {
      ENABLE_SAMPLE_GIZMOS: 'Whether there are sample gizmos',
    },
  };

  readonly enableSampleGizmos: boolean;

  constructor(env: Env) {
    this.enableSampleGizmos = readBoolean(env, 'ENABLE_SAMPLE_GIZMOS', true);
  }
}
