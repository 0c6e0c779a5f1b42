import { type AboutSettings, type Env, readBoolean } from '../platform/config/parse.js';

/** The settings of the console. Throws SettingError, naming the variable. */
export class ConsoleSettings {
  static readonly about: AboutSettings = {
    Features: {
      ENABLE_CONSOLE: 'The console at `/`; otherwise a page of links',
    },
  };

  readonly enableConsole: boolean;

  constructor(env: Env) {
    this.enableConsole = readBoolean(env, 'ENABLE_CONSOLE', true);
  }
}
