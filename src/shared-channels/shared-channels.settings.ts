import { type AboutSettings, type Env, readInteger } from '../platform/config/parse.js';

/** Limits of shared channels. Throws SettingError naming the variable. */
export class SharedChannelsSettings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Limits: {
      CHANNELS_PER_CONNECTION:
        'Maximum channels that a peer shares over one connection; archived ones do not count',
      USERS_PER_CONNECTION: 'Maximum accounts that a peer creates over one connection',
    },
  };

  readonly maxChannelsPerConnection: number;
  readonly maxUsersPerConnection: number;

  constructor(env: Env) {
    this.maxChannelsPerConnection = readInteger(env, 'CHANNELS_PER_CONNECTION', 200, 1, 2_000);
    this.maxUsersPerConnection = readInteger(env, 'USERS_PER_CONNECTION', 50_000, 1, 10_000_000);
  }
}
