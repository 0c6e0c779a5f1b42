import { type Env, readBoolean } from '../../platform/config/parse.js';

/** Who may create an account. Throws SettingError naming the variable. */
export class UsersSettings {
  readonly enableUserCreation: boolean;
  /** Anybody may sign up, without an invitation. */
  readonly enableOpenServer: boolean;

  constructor(env: Env) {
    this.enableUserCreation = readBoolean(env, 'ENABLE_USER_CREATION', true);
    this.enableOpenServer = readBoolean(env, 'ENABLE_OPEN_SERVER', false);
  }
}
