import { resolve } from 'node:path';
import { isIP } from 'node:net';
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import {
  type AboutSettings,
  Env,
  isPrefix,
  readBoolean,
  readChoice,
  readDuration,
  readInteger,
  readList,
  type ReadSetting,
  readText,
  readUrl,
  SettingError,
} from './parse.js';

const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const;
const LOG_FORMATS = ['auto', 'text', 'json'] as const;
const MIN_SECRET_KEY_LENGTH = 16;
const MAX_WORKERS = 64;
const MAX_SHUTDOWN_DELAY_MS = 300_000;
const YEAR_MS = 365 * 86_400_000;
const NAMED_PROXIES = ['loopback', 'linklocal', 'uniquelocal'];

/** The platform settings, read once at startup. Throws SettingError, naming the variable. */
export class Settings {
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
        'How long a stopping server keeps serving while `/health/ready` returns 503 to load balancers',
      LOCAL_MODE_SOCKET: 'Path of a Unix socket (mode 0600) that serves the API without signing in',
      LOG_LEVEL: '`debug` also logs each execution of a webhook',
      LOG_FORMAT:
        '`text` is human-readable, `json` one object per line; `auto` is `text` on a terminal, otherwise `json`',
      DEVELOPER_MODE: 'Fills `detailed_error` in error responses',
    },
    Data: {
      DATA_DIR: 'Folder of the embedded database and of generated files',
      DATABASE_URL: '`mysql://user:password@host:3306/database`; without it, the embedded database is used',
      REDIS_URL:
        '`redis://host:6379` (`rediss://` for TLS): lets any number of processes use one `DATABASE_URL`; see docs/scaling.md',
      WORKERS: 'Processes that this command starts; more than 1 needs `DATABASE_URL` and `REDIS_URL`',
      SECRET_KEY:
        'Key of at least 16 characters that encrypts the secrets in the database; generated into `DATA_DIR/secret.key` if unset. Back it up',
      SECRET_KEY_PREVIOUS: 'The previous `SECRET_KEY`, used for decryption only',
      SIGNING_OVERLAP: 'How long a replaced secret of a webhook still signs and verifies calls',
    },
  };

  readonly port: number;
  readonly host: string;
  readonly siteUrl: string | undefined;
  readonly dataDir: string;
  /** A mysql:// URL; undefined means the embedded database under dataDir. */
  readonly databaseUrl: string | undefined;
  /** Undefined means that this process alone serves the database. */
  readonly redisUrl: string | undefined;
  readonly workers: number;
  /** The time between the stop signal and the first refused connection. */
  readonly shutdownDelayMs: number;
  readonly localModeSocket: string | undefined;
  readonly maxPayloadBytes: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** `auto` is text on a terminal, otherwise JSON. */
  readonly logFormat: (typeof LOG_FORMATS)[number];
  readonly developerMode: boolean;
  readonly trustedProxies: readonly string[];
  readonly connectionsPerAddress: number;
  /** Undefined means the key in DATA_DIR/secret.key, which is generated if missing. */
  readonly secretKey: string | undefined;
  /** Only decrypts what was encrypted before the key changed. */
  readonly previousSecretKey: string | undefined;
  /** How long replaced secrets of webhooks stay valid. */
  readonly signingOverlapMs: number;

  constructor(env: Env) {
    this.port = readInteger(env, 'PORT', 8065, 0, 65535);
    this.host = readText(env, 'HOST', '127.0.0.1') || '127.0.0.1';
    this.siteUrl = readUrl(env, 'SITE_URL', `http://localhost:${this.port}`, ['http://', 'https://']);
    this.dataDir = resolve(readText(env, 'DATA_DIR', './data') || './data');
    this.databaseUrl = readUrl(env, 'DATABASE_URL', undefined, ['mysql://', 'mariadb://']);
    if (this.databaseUrl !== undefined && new URL(this.databaseUrl).pathname.length < 2) {
      throw new SettingError(
        'DATABASE_URL must name a database, such as mysql://user:password@host:3306/hookline.',
      );
    }
    this.redisUrl = readUrl(env, 'REDIS_URL', undefined, ['redis://', 'rediss://']);
    if (this.redisUrl !== undefined && this.databaseUrl === undefined) {
      throw new SettingError(
        'REDIS_URL lets several processes share a MySQL database, so it requires DATABASE_URL. The embedded database belongs to one process.',
      );
    }
    this.workers = readInteger(env, 'WORKERS', 1, 1, MAX_WORKERS);
    if (this.workers > 1 && this.redisUrl === undefined) {
      throw new SettingError(
        `WORKERS is ${this.workers}, and several processes can use one database only with DATABASE_URL (MySQL) and REDIS_URL. Set both, or leave WORKERS out.`,
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
    this.signingOverlapMs = readDuration(env, 'SIGNING_OVERLAP', '24h', 0, YEAR_MS);
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

const FILE = '.env';

/** The process environment, completed from `.env` in the working directory. Existing variables win. */
export function readEnvironment(): Env {
  if (existsSync(FILE)) process.loadEnvFile(FILE);
  return process.env;
}

/** The names of the variables that `.env` sets. */
export function namesInFile(): readonly string[] {
  return Object.keys(readFile());
}

/** The names of the `.env` variables in force, not overridden by a different value. */
export function namesFromFile(env: Env): ReadonlySet<string> {
  return new Set(
    Object.entries(readFile())
      .filter(([name, value]) => env[name] === value)
      .map(([name]) => name),
  );
}

function readFile(): Env {
  return existsSync(FILE) ? parseEnv(readFileSync(FILE, 'utf8')) : {};
}

type Dialect = 'mysql' | 'sqlite';

/** The database type of this process; a constant, because entity decorators need it at import time. */
export const dialect: Dialect = /^(mysql|mariadb):/.test(readEnvironment()['DATABASE_URL'] ?? '')
  ? 'mysql'
  : 'sqlite';

/** Where the value of a setting comes from. */
export const ORIGINS = ['default', 'environment', 'file'] as const;

/** A setting with its value in this process. */
export interface SettingInForce extends ReadSetting {
  /** The given value, or else the default. Empty if hidden. */
  readonly value: string;
  readonly origin: (typeof ORIGINS)[number];
  /** Whether the value is or contains a secret. */
  readonly isHidden: boolean;
}

interface GivenSetting {
  readonly text: string | undefined;
  readonly isFromFile: boolean;
  /** False if a class reads the variable directly, without a typed reader; it may contain a secret. */
  readonly isDescribed: boolean;
}

export const MAX_VALUE_LENGTH = 1_000;
const SECRET_NAME = /KEY|PASSWORD|TOKEN|SECRET/;
/** Characters that end the credentials of a URL, or begin its query or fragment. */
const SECRET_PART = /[@?#]/;

/** Returns the value in force and its origin; for a secret, only whether it is set. */
export function inForce(read: ReadSetting, { text, isFromFile, isDescribed }: GivenSetting): SettingInForce {
  const given = text?.trim();
  const isDefault = given === undefined || (given === '' && read.values !== 'URL');
  const value = isDefault ? read.fallback : given;
  const isSecret = !isDescribed || (read.values === 'text' && SECRET_NAME.test(read.name));
  const isHidden = value !== '' && (isSecret || hasSecret(read.values, value));
  return {
    ...read,
    value: isHidden ? '' : value.slice(0, MAX_VALUE_LENGTH),
    origin: isDefault ? 'default' : isFromFile ? 'file' : 'environment',
    isHidden,
  };
}

/** Parses a URL like its clients do: the password may contain spaces, or slashes may be missing. */
function hasSecret(values: string, text: string): boolean {
  if (values !== 'URL' || !URL.canParse(text)) return mayHoldUrlWithSecret(text);
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].some((part) => part !== '');
}

function mayHoldUrlWithSecret(text: string): boolean {
  const colon = text.indexOf(':');
  return colon >= 0 && SECRET_PART.test(text.slice(colon));
}
