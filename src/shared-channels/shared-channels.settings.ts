import { type Env, readInteger } from '../platform/config/parse.js';

/** How far shared channels may reach. Throws SettingError naming the variable. */
export class SharedChannelsSettings {
  /** How many channels a peer can bring here over one connection, not counting archived ones. */
  readonly maxChannelsPerConnection: number;

  constructor(env: Env) {
    this.maxChannelsPerConnection = readInteger(env, 'CHANNELS_PER_CONNECTION', 200, 1, 2_000);
  }
}
