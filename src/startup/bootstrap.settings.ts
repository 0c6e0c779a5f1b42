import { type AboutSettings, type Env, readChoice, readText } from '../platform/config/parse.js';

const ADMIN_EMAIL = 'admin@localhost.localdomain';

/** What the first start creates. Throws SettingError, naming the variable. */
export class BootstrapSettings {
  static readonly about: AboutSettings = {
    'First start': {
      ADMIN_USERNAME: 'Username of the administrator',
      ADMIN_EMAIL: 'E-mail address of the administrator',
      ADMIN_PASSWORD: 'Password of the administrator; generated into `DATA_DIR/initial-admin.json` if unset',
      BOOTSTRAP:
        '`none` leaves a new database empty; the first account created through the API is then the administrator. `force` [starts over](operating.md#an-empty-database) with a database that was in use and is now empty',
    },
  };

  /** `force`: starts over even if the database was used before and is now empty. */
  readonly bootstrap: 'default' | 'none' | 'force';
  readonly adminUsername: string;
  readonly adminEmail: string;
  readonly adminPassword: string | undefined;

  constructor(env: Env) {
    this.adminUsername = readText(env, 'ADMIN_USERNAME', 'admin') || 'admin';
    this.adminEmail = readText(env, 'ADMIN_EMAIL', ADMIN_EMAIL) || ADMIN_EMAIL;
    this.adminPassword = env['ADMIN_PASSWORD'] || undefined;
    this.bootstrap = readChoice(env, 'BOOTSTRAP', 'default', ['default', 'none', 'force']);
  }
}
