import type { Type } from '@nestjs/common';
import { readSettings } from '../../src/app.settings.js';
import { RequestKeeper } from '../../src/incoming-hooks/kept-requests/request-keeper.js';
import { Clock } from '../../src/platform/common/clock.js';
import type { AllSettings } from '../../src/platform/config/all-settings.js';
import { Settings } from '../../src/platform/config/settings.js';
import { ChangeLog } from '../../src/platform/database/changes/change-log.js';
import type { SharedChanges } from '../../src/platform/database/changes/shared-changes.js';
import { MetricsService } from '../../src/platform/metrics/metrics.service.js';
import { BootstrapSettings } from '../../src/startup/bootstrap.settings.js';
import { Bus } from '../../src/platform/scaling/bus.js';
import type { RedisBus } from '../../src/platform/scaling/redis-bus.js';
import { JsonLogger } from '../../src/platform/logging/logger.js';
import { type RunningServer, startServer } from '../../src/startup/server.js';
import { DispatcherService } from '../../src/delivery/dispatch/dispatcher.service.js';
import { PasswordHasher } from '../../src/messaging/users/passwords/password-hasher.js';
import { ApiClient } from './api-client.mjs';
import { handIn } from './secret-scan.mjs';
import { learnSettings } from './secrets.mjs';
import { keepServerLine } from './server-logs.mjs';
import { makeMigratedTables } from './migrated-tables.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

export const ADMIN_PASSWORD = 'correct horse battery';
/** The interval at which a test server looks for due deliveries, because test schedules use milliseconds. */
const DRAIN_EVERY_MS = 20;
/** The interval at which a client of several instances looks whether they have heard each other, after each request. */
const HEARD_EVERY_MS = 1;
/** Minimal Argon2id parameters, because tests create many accounts. */
const QUICK = { algorithm: 2, memoryCost: 64, timeCost: 1, parallelism: 1 };

export interface TestServer {
  readonly app: RunningServer['app'];
  readonly url: string;
  readonly settings: Settings;
  readonly database: TestDatabase;
  /** A client without credentials. */
  readonly anonymous: ApiClient;
  /** A client of the initial system administrator. */
  readonly admin: ApiClient;
  readonly adminId: string;
  /** A client of only the first instance, without credentials. */
  readonly first: ApiClient;
  readonly logs: readonly string[];
  /** The provider of each instance, because setting or watching one of them does not affect requests to another. */
  everywhere<T>(provider: Type<T>): readonly T[];
  /** The metrics of all instances, one after the other. */
  metrics(): Promise<string>;
  /**
   * Runs `action` with changed settings of any module: `withSettings({ enableIncomingWebhooks: false }, async () =>
   * …)`.
   */
  withSettings<T>(changed: Readonly<Record<string, unknown>>, action: () => Promise<T>): Promise<T>;
  login(loginId: string, password?: string): Promise<ApiClient>;
  close(): Promise<void>;
}

/**
 * Starts the whole server in this process, on its own port and with an empty migrated database of the suite's
 * dialect. If the suite has several instances, requests of clients go to them in turn, and `app` is the first: a test
 * that sets its clock sets all. `env` sets variables; with BOOTSTRAP=none, `admin` has no token. Password hashing is
 * cheap unless the suite tests it.
 */
export async function startTestServer(
  env: Record<string, string> = {},
  reuse?: TestDatabase,
  { hasQuickPasswords = true } = {},
): Promise<TestServer> {
  const database = reuse ?? (await createTestDatabase());
  if (!reuse) await makeMigratedTables(database);
  const logs: string[] = [];
  const write = (line: string): void => {
    logs.push(line);
    keepServerLine(line);
  };
  const logger = new JsonLogger('debug', { write });
  const instanceCount = 'REDIS_URL' in env ? 1 : Number(process.env['TEST_INSTANCES'] ?? 1);
  const together = instanceCount > 1 ? { REDIS_URL: process.env['TEST_REDIS_URL'] ?? '' } : undefined;
  const variables = { PORT: '0', ADMIN_PASSWORD, ...database.env, ...together, ...env };
  learnSettings(variables);
  handIn('a log', logs);
  const settings = readSettings(variables);
  const instances: RunningServer[] = [];
  const shared: string[] = [];
  const closeAll = async (): Promise<void> => {
    for (const place of shared.splice(0)) ApiClient.shared.delete(place);
    for (const one of instances.splice(0)) await one.close();
  };
  const start = async (): Promise<RunningServer> => {
    const instance = await startServer(settings, logger, (reason) => {
      throw reason;
    });
    if (hasQuickPasswords) Object.assign(instance.app.get(PasswordHasher), { cost: QUICK });
    instance.app.get(DispatcherService)['drains'].start(DRAIN_EVERY_MS);
    instances.push(instance);
    return instance;
  };
  const server = await start();
  try {
    const { localModeSocket: socket } = settings.get(Settings); // only one instance can open it
    await withSettings(settings, { localModeSocket: undefined }, async () => {
      while (instances.length < instanceCount) await start();
    });
    shareClock(instances);
    if (instanceCount > 1) {
      const all = { urls: instances.map(({ url }) => url), hear: () => hear(instances) };
      shared.push(server.url, ...(socket ? [socket] : []));
      for (const place of shared) ApiClient.shared.set(place, all);
    }
  } catch (error) {
    await closeAll();
    throw error;
  }
  const anonymous = new ApiClient(server.url);
  const login = async (loginId: string, password = ADMIN_PASSWORD): Promise<ApiClient> => {
    const answer = await anonymous.post('/users/login', { login_id: loginId, password });
    if (answer.status !== 200) throw new Error(`The login of ${loginId} is refused: ${answer.text}`);
    return anonymous.as(String(answer.headers['token']));
  };
  const { bootstrap, adminUsername } = settings.get(BootstrapSettings);
  const admin = bootstrap === 'none' ? anonymous : await login(adminUsername);
  const adminId = bootstrap === 'none' ? '' : ((await admin.get('/users/me')).body.id as string);
  return {
    app: server.app,
    url: server.url,
    settings: settings.get(Settings),
    database,
    anonymous,
    admin,
    adminId,
    first: new ApiClient(`${server.url}/`),
    logs,
    everywhere: (provider) => instances.map(({ app }) => app.get(provider, { strict: false })),
    metrics: () => metricsOf(instances),
    login,
    withSettings: (changed, action) => withSettings(settings, changed, action),
    close: async () => {
      handIn('the metrics', (await metricsOf(instances)).split('\n'));
      await closeAll();
      if (!reuse) await database.drop();
    },
  };
}

async function metricsOf(instances: readonly RunningServer[]): Promise<string> {
  return (await Promise.all(instances.map(({ app }) => app.get(MetricsService).exposition()))).join('');
}

/** All use the clock of the first while a test sets it, except for their change notifications. */
function shareClock([first, ...others]: readonly RunningServer[]): void {
  if (!first || others.length === 0) return;
  const set = first.app.get(Clock);
  for (const { app } of [first, ...others]) {
    const own = app.get(Clock);
    const now = own.now.bind(own);
    Object.assign(app.get<object>(ChangeLog), { clock: { now } });
    if (own !== set) own.now = () => (jest.isMockFunction(set.now) ? set.now() : now());
  }
}

/**
 * Lets all instances store their pending call data, and read each other's changes and messages, as they otherwise
 * do within a second.
 */
async function hear(instances: readonly RunningServer[]): Promise<void> {
  await Promise.all(instances.map(({ app }) => app.get(RequestKeeper).flush()));
  const logs = instances.map(({ app }) => app.get<SharedChanges>(ChangeLog));
  await Promise.all(logs.map((changes) => changes['write']()));
  await Promise.all(logs.map((changes) => changes['readOnce']()));
  const buses = instances.map(({ app }) => app.get<RedisBus>(Bus));
  for (const bus of buses) {
    const { processId, sent } = { processId: bus.processId, sent: bus['sent'] };
    const others = buses.filter((other) => other !== bus);
    const heardBy = (other: RedisBus): number => other['peers']['peers'].get(processId)?.last ?? 0;
    await eventually(() => others.every((other) => heardBy(other) >= sent), 25_000, HEARD_EVERY_MS);
  }
}

async function withSettings<T>(
  settings: AllSettings,
  changed: Readonly<Record<string, unknown>>,
  action: () => Promise<T>,
): Promise<T> {
  const before = Object.entries(changed).map(([key, value]) => {
    const owner = settings.entries().find(([, values]) => key in values);
    if (!owner) throw new Error(`The setting ${key} does not exist.`);
    const place = owner[1] as Record<string, unknown>;
    const was = place[key];
    place[key] = value;
    return () => (place[key] = was);
  });
  try {
    return await action();
  } finally {
    before.forEach((restore) => restore());
  }
}

/** Waits until `probe` returns a truthy value and returns it. Throws after `timeoutMs`. */
export async function eventually<T>(
  probe: () => Promise<T> | T,
  timeoutMs = 25_000,
  everyMs = 15,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`Timed out waiting for ${String(probe)}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
