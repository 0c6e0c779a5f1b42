import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { ApiClient } from './support/api-client.mjs';
import { onlyWhere } from './support/only-where.js';
import { findFreePort, ServerProcess } from './support/server-process.mjs';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';
import { ADMIN_PASSWORD, eventually } from './support/test-server.js';

const WORKERS = 3;
const PING = '/api/v4/system/ping';
/** As documented in docs/operating.md. */
const STOP_WITHIN_MS = 10_000;
const redisUrl = process.env['TEST_REDIS_URL'] ?? '';

const onMysql = onlyWhere(isMysql, 'several processes share a MySQL database');

onMysql.describe('WORKERS', () => {
  let database: TestDatabase;
  let server: ServerProcess;
  let env: Record<string, string>;
  let socket: string;
  let metricsUrl: string;
  let admin: ApiClient;
  let hookPath: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    socket = join(database.dataDir, 'local.sock');
    const metricsPort = await findFreePort();
    metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    const places = { LOCAL_MODE_SOCKET: socket, METRICS_PORT: String(metricsPort) };
    env = { ...database.env, ...places, REDIS_URL: redisUrl, WORKERS: String(WORKERS), ADMIN_PASSWORD };
    server = await ServerProcess.start({ ...env, LOG_LEVEL: 'debug' });
    const client = new ApiClient(server.url);
    const { headers } = await client.post('/users/login', { login_id: 'admin', password: ADMIN_PASSWORD });
    admin = client.as(String(headers['token']));
    const [hook] = (await admin.get('/hooks/incoming')).body;
    hookPath = `/hooks/${hook.id}`;
  }, 90_000);
  afterAll(async () => {
    await server?.stop();
    await database?.drop();
  });

  const workerPids = (): number[] =>
    execFileSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);

  /** The status of a response, or the error code. Without an agent, on a separate connection. */
  const call = (method: string, path: string, agent?: Agent): Promise<number | string> =>
    new Promise((resolve) => {
      const headers = { 'Content-Type': 'application/json' };
      const sent = request(`${server.url}${path}`, { method, headers, agent: agent ?? false }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
        answer.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      });
      sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      sent.end(method === 'POST' ? JSON.stringify({ text: 'one more' }) : undefined);
    });
  const metrics = async (): Promise<string> => (await fetch(metricsUrl)).text();
  const value = (text: string, series: string): number => {
    const line = text.split('\n').find((each) => each.startsWith(`${series} `));
    return line === undefined ? NaN : Number(line.slice(series.length + 1));
  };
  const counted = async (route: string, method = 'GET'): Promise<number> =>
    value(
      await metrics(),
      `hookline_http_requests_total{method="${method}",route="${route}",status="200"}`,
    ) || 0;
  const storedPosts = async (): Promise<number> => {
    const connection = await createConnection({ uri: database.databaseUrl ?? '' });
    const [rows] = await connection.query("SELECT COUNT(*) AS n FROM posts WHERE message = 'one more'");
    await connection.end();
    return (rows as { n: number }[])[0]!.n;
  };
  const said = (pattern: RegExp): string | undefined => server.logs.find((line) => pattern.test(line));

  it('starts the given number of processes, which report the start once', () => {
    expect(workerPids()).toHaveLength(WORKERS);
    expect(server.stdout.match(/is running\./g)).toHaveLength(1);
    expect(server.stdout).toContain(`Workers         ${WORKERS} processes\n`);
    expect(server.stdout.match(/First webhook, URL in /g)).toHaveLength(1);
    expect(server.errors).toEqual([]);
  });

  it('shares the port among them, and adds up their counts', async () => {
    const before = await counted(PING);
    for (let n = 0; n < 30; n++) expect(await call('GET', PING)).toBe(200);
    for (let n = 0; n < 2 * WORKERS; n++) expect(await counted(PING)).toBe(before + 30);
    const workers = server.logs.filter((line) => line.includes(PING)).map((line) => JSON.parse(line).worker);
    expect(new Set(workers).size).toBe(WORKERS);
    const text = await metrics();
    expect(value(text, `hookline_http_request_duration_seconds_count{method="GET",route="${PING}"}`)).toBe(
      before + 30,
    );
    expect(value(text, 'hookline_build_info{version="0.1.0"}')).toBe(1);
    expect(value(text, 'hookline_live_connections')).toBe(0);
  });

  it('serves local mode from one socket file, which only its owner can open', async () => {
    expect((statSync(socket).mode & 0o777).toString(8)).toBe('600');
    const local = new ApiClient(server.url, '', socket);
    for (let n = 0; n < 2 * WORKERS; n++) expect((await local.get('/users')).status).toBe(200);
  });

  it('continues when one is killed, replaces it, and keeps its counts', async () => {
    const before = await counted(PING);
    const [first, second] = workerPids();
    process.kill(second!, 'SIGKILL');
    await eventually(() => said(new RegExp(`process ${second}\\) ended \\(SIGKILL\\)`)));
    for (let n = 0; n < 20; n++) expect(await call('GET', PING)).toBe(200);
    await eventually(() => said(/has replaced it/), 60_000);
    expect(workerPids()).toHaveLength(WORKERS);
    expect(workerPids()).toContain(first);
    expect(await counted(PING)).toBe(before + 20);
  }, 90_000);

  it('replaces all on SIGHUP, and answers every request during that', async () => {
    const before = workerPids();
    const [stored, posts] = [await storedPosts(), await counted('/hooks/:id', 'POST')];
    const agent = new Agent({ keepAlive: true });
    const outcomes = new Map<number | string, number>();
    let isOver = false;
    // Some are always busy on their connection, and some leave it idle between two requests.
    const pausesMs = [0, 0, 5, 50, 500];
    const callers = pausesMs.map(async (pauseMs) => {
      while (!isOver) {
        const outcome = await call('POST', hookPath, agent);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    });
    server.signal('SIGHUP');
    await eventually(() => said(/All workers are replaced/), 120_000);
    isOver = true;
    await Promise.all(callers);
    agent.destroy();
    expect([...outcomes.keys()]).toEqual([200]);
    expect(workerPids()).toHaveLength(WORKERS);
    expect(workerPids().filter((pid) => before.includes(pid))).toEqual([]);
    expect(await storedPosts()).toBe(stored + outcomes.get(200)!);
    expect(await counted('/hooks/:id', 'POST')).toBe(posts + outcomes.get(200)!);
  }, 180_000);

  it('reports a taken port once', async () => {
    const { port } = new URL(server.url);
    const second = new ServerProcess({ ...env, PORT: port, METRICS_PORT: '0' }, { cwd: database.dataDir });
    expect(await second.exit()).toBe(1);
    expect(second.logs).toEqual([
      `Port ${port} on 127.0.0.1 is in use by another process. Stop that one, or set PORT to a free port.`,
    ]);
  });

  it('reports once why no worker can start, and ends', async () => {
    const nobody = createServer().listen(0, '127.0.0.1');
    const port = await findFreePort();
    nobody.close();
    const there = { DATABASE_URL: `mysql://nobody@127.0.0.1:${port}/hookline`, LOCAL_MODE_SOCKET: '' };
    const failing = new ServerProcess({ ...env, ...there, METRICS_PORT: '0' });
    expect(await failing.exit()).toBe(1);
    expect(failing.logs).toHaveLength(1);
    expect(failing.logs[0]).toContain('(DATABASE_URL) cannot be reached: ECONNREFUSED');
  });

  it('keeps its workers when new ones do not start', async () => {
    const before = workerPids();
    const key = join(database.dataDir, 'secret.key');
    renameSync(key, `${key}.away`);
    writeFileSync(key, 'no key', { mode: 0o600 });
    server.signal('SIGHUP');
    await eventually(() => said(/does not start, so the others are kept/), 60_000);
    renameSync(`${key}.away`, key);
    expect(workerPids()).toEqual(before);
    expect(await call('GET', PING)).toBe(200);
  }, 90_000);

  it('stops properly when its parent process is killed', async () => {
    const own = { LOCAL_MODE_SOCKET: '', METRICS_PORT: '0', WORKERS: '2' };
    const other = await ServerProcess.start({ ...env, ...own });
    expect(await other.kill()).toBe(null); // its output ends with the last of its processes
    expect(other.errors).toEqual([]);
  }, 60_000);

  it('stops all on SIGTERM, with acknowledged data stored', async () => {
    const pids = workerPids();
    const stored = await storedPosts();
    const running = Array.from({ length: 20 }, () => call('POST', hookPath));
    await Promise.race(running);
    const stoppedAt = performance.now();
    server.signal('SIGTERM');
    for (const pid of pids) process.kill(pid, 'SIGTERM'); // like a supervisor that signals every process
    expect(await server.exit()).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(STOP_WITHIN_MS);
    const acknowledged = (await Promise.all(running)).filter((outcome) => outcome === 200).length;
    expect(acknowledged).toBeGreaterThan(0);
    expect(await storedPosts()).toBeGreaterThanOrEqual(stored + acknowledged);
    expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    expect(existsSync(socket)).toBe(false);
    const expected = /ended \(SIGKILL\)|does not start|secret\.key/;
    expect(server.errors.filter((line) => !expected.test(line))).toEqual([]);
  });
});
