import { type Env, readChoice, readText } from '../platform/config/parse.js';

const ADMIN_EMAIL = 'admin@localhost.localdomain';

/** What the first start creates. Throws SettingError, naming the variable. */
export class BootstrapSettings {
  /** `force`: begins anew also where the database was in use before and is empty now. */
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
