import { resolve } from 'node:path';
import { isIP } from 'node:net';
import {
  type AboutSettings,
  Env,
  SettingError,
  readBoolean,
  readChoice,
  readDuration,
  isPrefix,
  readInteger,
  readList,
  readText,
  readUrl,
} from './parse.js';

const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const;
const LOG_FORMATS = ['auto', 'text', 'json'] as const;
const MIN_SECRET_KEY_LENGTH = 16;
const MAX_WORKERS = 64;
const MAX_SHUTDOWN_DELAY_MS = 300_000;
const NAMED_PROXIES = ['loopback', 'linklocal', 'uniquelocal'];

/** The settings of the platform, read once at start. Throws SettingError, naming the variable. */
export class Settings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Server: {
      PORT: 'Port; `0` takes a free one',
      HOST: 'Address to listen on (`0.0.0.0` in the image)',
      SITE_URL:
        'The public address of the server, for users and peers; the default follows `PORT`, and `SITE_URL=` unsets it',
      TRUSTED_PROXIES:
        'Addresses or networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. Set it behind a proxy',
      CONNECTIONS_PER_ADDRESS: 'Maximum open connections per client address; unlimited for `TRUSTED_PROXIES`',
      MAX_PAYLOAD_BYTES: 'The largest request body',
      SHUTDOWN_DELAY:
        'How long a stopping server keeps serving while `/health/ready` answers 503 to load balancers',
      LOCAL_MODE_SOCKET: 'Path of a Unix socket (mode 0600) that serves the API without signing in',
      LOG_LEVEL: '`debug` also logs each execution of a webhook',
      LOG_FORMAT:
        '`text` is human-readable, `json` one object a line; `auto` is `text` on a terminal, otherwise `json`',
      DEVELOPER_MODE: 'Fills `detailed_error` in error responses',
    },
    Data: {
      DATA_DIR: 'Folder of the embedded database and of generated files',
      DATABASE_URL: '`mysql://user:password@host:3306/database`; without it, the embedded database is used',
      REDIS_URL:
        '`redis://host:6379` (`rediss://` for TLS): lets any number of processes serve one `DATABASE_URL`; see docs/scaling.md',
      WORKERS: 'Processes that this command starts; more than 1 needs `DATABASE_URL` and `REDIS_URL`',
      SECRET_KEY:
        'Key of at least 16 characters that encrypts the secrets in the database; generated into `DATA_DIR/secret.key` if unset. Back it up',
      SECRET_KEY_PREVIOUS: 'The previous `SECRET_KEY`, used for decryption only',
    },
  };

  readonly port: number;
  readonly host: string;
  /** Undefined when SITE_URL is empty. */
  readonly siteUrl: string | undefined;
  readonly dataDir: string;
  /** A mysql:// URL; undefined means the embedded database under dataDir. */
  readonly databaseUrl: string | undefined;
  /** Undefined means that this process alone serves the database. */
  readonly redisUrl: string | undefined;
  /** How many processes the command starts. */
  readonly workers: number;
  /** Between the signal to stop and the first refused connection. */
  readonly shutdownDelayMs: number;
  readonly localModeSocket: string | undefined;
  readonly maxPayloadBytes: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** `auto` is text at a terminal, and JSON elsewhere. */
  readonly logFormat: (typeof LOG_FORMATS)[number];
  readonly developerMode: boolean;
  readonly trustedProxies: readonly string[];
  readonly connectionsPerAddress: number;
  /** Undefined means the key in DATA_DIR/secret.key, which is generated if missing. */
  readonly secretKey: string | undefined;
  /** Only decrypts what was encrypted before the key was changed. */
  readonly previousSecretKey: string | undefined;

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
    this.redisUrl = readUrl(env, 'REDIS_URL', undefined, ['redis://', 'rediss://']);
    if (this.redisUrl !== undefined && this.databaseUrl === undefined) {
      throw new SettingError(
        'REDIS_URL lets several processes share a MySQL database, so it needs DATABASE_URL too. The embedded database belongs to one process.',
      );
    }
    this.workers = readInteger(env, 'WORKERS', 1, 1, MAX_WORKERS);
    if (this.workers > 1 && this.redisUrl === undefined) {
      throw new SettingError(
        `WORKERS is ${this.workers}, and several processes can serve one database only with DATABASE_URL (MySQL) and REDIS_URL. Set both, or leave WORKERS out.`,
      );
    }
    this.shutdownDelayMs = readDuration(env, 'SHUTDOWN_DELAY', '0s', 0, MAX_SHUTDOWN_DELAY_MS);
    this.localModeSocket = readText(env, 'LOCAL_MODE_SOCKET', '') || undefined;
    this.maxPayloadBytes = readInteger(env, 'MAX_PAYLOAD_BYTES', 300_000, 1_000, 100_000_000);
    this.logLevel = readChoice(env, 'LOG_LEVEL', 'info', LOG_LEVELS);
    this.logFormat = readChoice(env, 'LOG_FORMAT', 'auto', LOG_FORMATS);
    this.developerMode = readBoolean(env, 'DEVELOPER_MODE', false);
    this.trustedProxies = readProxies(env);
    this.connectionsPerAddress = readInteger(env, 'CONNECTIONS_PER_ADDRESS', 4_096, 1, 1_000_000);
    this.secretKey = readSecretKey(env, 'SECRET_KEY');
    this.previousSecretKey = readSecretKey(env, 'SECRET_KEY_PREVIOUS');
  }
}

function readSecretKey(env: Env, name: string): string | undefined {
  const key = env[name]?.trim() || undefined;
  if (key !== undefined && key.length < MIN_SECRET_KEY_LENGTH)
    throw new SettingError(`${name} must have at least ${MIN_SECRET_KEY_LENGTH} characters.`);
  return key;
}

function readProxies(env: Env): readonly string[] {
  const proxies = readList(env, 'TRUSTED_PROXIES');
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    const bits = isIP(address) === 4 ? 32 : 128;
    const isValid =
      NAMED_PROXIES.includes(proxy) ||
      (isIP(address) !== 0 && (prefix === undefined || isPrefix(prefix, bits)));
    if (!isValid) {
      throw new SettingError(
        `TRUSTED_PROXIES must list addresses, networks such as 10.0.0.0/8, or ${NAMED_PROXIES.join(', ')}, but has "${proxy}".`,
      );
    }
  }
  return proxies;
}
