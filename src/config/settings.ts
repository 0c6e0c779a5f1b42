import { resolve } from 'node:path';
import { isIP } from 'node:net';
import {
  Env,
  SettingError,
  readBoolean,
  readChoice,
  readInteger,
  readList,
  readText,
  readUrl,
} from './parse.js';

const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const;
const NAMED_PROXIES = ['loopback', 'linklocal', 'uniquelocal'];

/** Every setting of the server, read once at start (design section 7). Throws SettingError naming the variable. */
export class Settings {
  readonly port: number;
  readonly host: string;
  /** Undefined when SITE_URL is set to nothing. */
  readonly siteUrl: string | undefined;
  readonly dataDir: string;
  /** A mysql:// URL; undefined means the embedded database under dataDir. */
  readonly databaseUrl: string | undefined;
  readonly adminUsername: string;
  readonly adminEmail: string;
  readonly adminPassword: string | undefined;
  readonly bootstrap: 'default' | 'none';
  readonly localModeSocket: string | undefined;
  readonly enableIncomingWebhooks: boolean;
  readonly enablePostUsernameOverride: boolean;
  readonly enablePostIconOverride: boolean;
  readonly enableUserAccessTokens: boolean;
  readonly enableUserCreation: boolean;
  readonly enableOpenServer: boolean;
  readonly maxPayloadBytes: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly developerMode: boolean;
  readonly trustedProxies: readonly string[];

  constructor(env: Env) {
    this.port = readInteger(env, 'PORT', 8065, 0, 65535);
    this.host = readText(env, 'HOST', '127.0.0.1') || '127.0.0.1';
    this.siteUrl = readUrl(env, 'SITE_URL', `http://localhost:${this.port}`, ['http://', 'https://']);
    this.dataDir = resolve(readText(env, 'DATA_DIR', './data') || './data');
    this.databaseUrl = readUrl(env, 'DATABASE_URL', undefined, ['mysql://', 'mariadb://']);
    if (this.databaseUrl !== undefined && new URL(this.databaseUrl).pathname.length < 2) {
      throw new SettingError(
        'DATABASE_URL must name a database, as in mysql://user:password@host:3306/hookline.',
      );
    }
    this.adminUsername = readText(env, 'ADMIN_USERNAME', 'admin') || 'admin';
    this.adminEmail =
      readText(env, 'ADMIN_EMAIL', 'admin@localhost.localdomain') || 'admin@localhost.localdomain';
    this.adminPassword = env['ADMIN_PASSWORD'] || undefined;
    this.bootstrap = readChoice(env, 'BOOTSTRAP', 'default', ['default', 'none']);
    this.localModeSocket = readText(env, 'LOCAL_MODE_SOCKET', '') || undefined;
    this.enableIncomingWebhooks = readBoolean(env, 'ENABLE_INCOMING_WEBHOOKS', true);
    this.enablePostUsernameOverride = readBoolean(env, 'ENABLE_POST_USERNAME_OVERRIDE', true);
    this.enablePostIconOverride = readBoolean(env, 'ENABLE_POST_ICON_OVERRIDE', true);
    this.enableUserAccessTokens = readBoolean(env, 'ENABLE_USER_ACCESS_TOKENS', true);
    this.enableUserCreation = readBoolean(env, 'ENABLE_USER_CREATION', true);
    this.enableOpenServer = readBoolean(env, 'ENABLE_OPEN_SERVER', false);
    this.maxPayloadBytes = readInteger(env, 'MAX_PAYLOAD_BYTES', 300_000, 1_000, 100_000_000);
    this.logLevel = readChoice(env, 'LOG_LEVEL', 'info', LOG_LEVELS);
    this.developerMode = readBoolean(env, 'DEVELOPER_MODE', false);
    this.trustedProxies = readProxies(env);
  }
}

function readProxies(env: Env): readonly string[] {
  const proxies = readList(env, 'TRUSTED_PROXIES');
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    const bits = isIP(address) === 4 ? 32 : 128;
    const valid =
      NAMED_PROXIES.includes(proxy) ||
      (isIP(address) !== 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)));
    if (!valid) {
      throw new SettingError(
        `TRUSTED_PROXIES must list addresses, networks such as 10.0.0.0/8, or ${NAMED_PROXIES.join(', ')}, but has "${proxy}".`,
      );
    }
  }
  return proxies;
}
