import { type AboutSettings, type Env, readBoolean } from '../../platform/config/parse.js';

/** Who may create an account. Throws SettingError naming the variable. */
export class UsersSettings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Features: {
      ENABLE_USER_CREATION: 'Accounts can be created',
      ENABLE_OPEN_SERVER: 'Anyone may create an account without an invitation',
    },
  };

  readonly enableUserCreation: boolean;
  readonly enableOpenServer: boolean;

  constructor(env: Env) {
    this.enableUserCreation = readBoolean(env, 'ENABLE_USER_CREATION', true);
    this.enableOpenServer = readBoolean(env, 'ENABLE_OPEN_SERVER', false);
  }
}
