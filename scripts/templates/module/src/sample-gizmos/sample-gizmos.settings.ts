import { type Env, readBoolean } from '../platform/config/parse.js';

/** Whether sample gizmos are on. Throws SettingError naming the variable. */
export class SampleGizmosSettings {
  readonly enableSampleGizmos: boolean;

  constructor(env: Env) {
    this.enableSampleGizmos = readBoolean(env, 'ENABLE_SAMPLE_GIZMOS', true);
  }
}
