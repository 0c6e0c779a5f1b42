import { resolve } from 'node:path';
import { isIP } from 'node:net';
import {
  Env,
  SettingError,
  readBoolean,
  readChoice,
  readDuration,
  readDurations,
  readInteger,
  readList,
  readText,
  readUrl,
} from './parse.js';

const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const HOST_NAME = /^(?=.{1,253}\.?$)[a-z\d_]([a-z\d_-]{0,62})(\.[a-z\d_][a-z\d_-]{0,62})*\.?$/i;
const MIN_SECRET_KEY_LENGTH = 16;
const NAMED_PROXIES = ['loopback', 'linklocal', 'uniquelocal'];

/** Every setting of the server, read once at start (docs/settings.md). Throws SettingError naming the variable. */
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
  readonly enableOutgoingWebhooks: boolean;
  /** One deadline over a whole call: connect, TLS, headers and body. */
  readonly outgoingTimeoutMs: number;
  /** The delay before each attempt, the first one included. */
  readonly outgoingScheduleMs: readonly number[];
  readonly outgoingConcurrency: number;
  readonly outgoingPerEndpoint: number;
  /** An endpoint that has failed for so long is given up. */
  readonly outgoingDisableAfterMs: number;
  /** How long the old signing secret signs beside the new one. */
  readonly signingOverlapMs: number;
  /** Host names, addresses and networks that may be called though they are internal. */
  readonly allowedInternalHosts: readonly string[];
  /** Name servers to ask; the system's when empty. */
  readonly dnsServers: readonly string[];
  readonly retentionDays: number;
  /** How long audit rows are kept; 0 means for ever. */
  readonly auditRetentionMs: number;
  /** Undefined means: the key in DATA_DIR/secret.key, made when it is missing. */
  readonly secretKey: string | undefined;
  /** Opens what was sealed before the key was changed; seals nothing. */
  readonly previousSecretKey: string | undefined;
  readonly enableRemoteClusters: boolean;
  readonly peerPingIntervalMs: number;
  /** A peer whose last answer is older is offline. */
  readonly peerOfflineAfterMs: number;
  /** An invite can be confirmed for so long after it was issued. */
  readonly inviteTtlMs: number;
  /** Writes invites in version 2, for peers that cannot read version 3. */
  readonly legacyInvites: boolean;

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
    this.enableOutgoingWebhooks = readBoolean(env, 'ENABLE_OUTGOING_WEBHOOKS', true);
    this.outgoingTimeoutMs = readDuration(env, 'OUTGOING_TIMEOUT', '30s', 100, 10 * MINUTE_MS);
    this.outgoingScheduleMs = readDurations(
      env,
      'OUTGOING_SCHEDULE',
      '0s,5s,5m,30m,2h,5h,10h,14h,20h,24h',
      30 * DAY_MS,
    );
    this.outgoingConcurrency = readInteger(env, 'OUTGOING_CONCURRENCY', 256, 2, 10_000);
    this.outgoingPerEndpoint = readInteger(env, 'OUTGOING_PER_ENDPOINT', 32, 1, 1_000);
    this.outgoingDisableAfterMs = readDuration(env, 'OUTGOING_DISABLE_AFTER', '5d', 1, 365 * DAY_MS);
    this.signingOverlapMs = readDuration(env, 'SIGNING_OVERLAP', '24h', 0, 365 * DAY_MS);
    this.allowedInternalHosts = readHosts(env, 'ALLOWED_INTERNAL_HOSTS');
    this.dnsServers = readDnsServers(env);
    this.retentionDays = readInteger(env, 'RETENTION_DAYS', 30, 1, 3_650);
    const keepsAudits = readText(env, 'AUDIT_RETENTION', '') === '0';
    this.auditRetentionMs = keepsAudits
      ? 0
      : readDuration(env, 'AUDIT_RETENTION', '365d', 0, 36_500 * DAY_MS);
    this.secretKey = readSecretKey(env, 'SECRET_KEY');
    this.previousSecretKey = readSecretKey(env, 'SECRET_KEY_PREVIOUS');
    this.enableRemoteClusters = readBoolean(env, 'ENABLE_REMOTE_CLUSTERS', true);
    this.peerPingIntervalMs = readDuration(env, 'PEER_PING_INTERVAL', '60s', 50, DAY_MS);
    this.peerOfflineAfterMs = readDuration(env, 'PEER_OFFLINE_AFTER', '5m', 50, 30 * DAY_MS);
    this.inviteTtlMs = readDuration(env, 'INVITE_TTL', '48h', 1, 365 * DAY_MS);
    this.legacyInvites = readBoolean(env, 'LEGACY_INVITES', false);
  }
}

/** Names, addresses and networks, lower case. */
function readHosts(env: Env, name: string): readonly string[] {
  return readList(env, name).map((host) => {
    const [address = '', prefix] = host.replace(/[[\]]/g, '').split('/');
    const bits = isIP(address) === 4 ? 32 : 128;
    const isNetwork = isIP(address) !== 0 && (prefix === undefined || isPrefix(prefix, bits));
    if (!isNetwork && !(prefix === undefined && HOST_NAME.test(address) && !/^[\d.]+$/.test(address))) {
      throw new SettingError(
        `${name} must list host names, addresses or networks such as 10.0.0.0/8, but has "${host}".`,
      );
    }
    return (prefix === undefined ? address : `${address}/${prefix}`).toLowerCase().replace(/\.$/, '');
  });
}

function readDnsServers(env: Env): readonly string[] {
  const servers = readList(env, 'DNS_SERVERS');
  for (const server of servers) {
    const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?)$/.exec(server) ?? [];
    if (isIP(server) === 0 && isIP(v6 ?? v4 ?? '') === 0) {
      throw new SettingError(
        `DNS_SERVERS must list addresses, with or without a port, such as 10.0.0.2:53, but has "${server}".`,
      );
    }
  }
  return servers;
}

function readSecretKey(env: Env, name: string): string | undefined {
  const key = env[name]?.trim() || undefined;
  if (key !== undefined && key.length < MIN_SECRET_KEY_LENGTH)
    throw new SettingError(`${name} must have at least ${MIN_SECRET_KEY_LENGTH} characters.`);
  return key;
}

function isPrefix(prefix: string, bits: number): boolean {
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}

function readProxies(env: Env): readonly string[] {
  const proxies = readList(env, 'TRUSTED_PROXIES');
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    const bits = isIP(address) === 4 ? 32 : 128;
    const valid =
      NAMED_PROXIES.includes(proxy) ||
      (isIP(address) !== 0 && (prefix === undefined || isPrefix(prefix, bits)));
    if (!valid) {
      throw new SettingError(
        `TRUSTED_PROXIES must list addresses, networks such as 10.0.0.0/8, or ${NAMED_PROXIES.join(', ')}, but has "${proxy}".`,
      );
    }
  }
  return proxies;
}
