/**
 * `npm run bench`: measures speed and memory on both databases, against a baseline on the same machine in the same run.
 *
 *   npm run bench                                  everything on SQLite and MySQL
 *   npm run bench -- --database=sqlite             one database
 *   npm run bench -- --scenario=post               one scenario: post, list, create, trigger, isolation, memory, start
 *   npm run bench -- --seconds=10                  length of each posting run
 *   npm run bench -- --target=http://host:8065 --login=admin --password=…    any Mattermost-compatible server
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { exitBecauseOf, prepare } from '../scripts/prepare.mjs';
import { makeChannel, messageCount } from './channels.mjs';
import { measureIsolation, measureTriggers } from './deliveries.mjs';
import { generateLoad, httpRequest } from './load.mjs';
import { ApiClient } from '../test/support/api-client.mjs';
import { ServerProcess } from '../test/support/server-process.mjs';
import { cpuSeconds, residentMiB, startProcess, temporaryFolder } from './processes.mjs';
import { ms, table } from './table.mjs';

const password = 'bench password 1';
const text = 'Build 812 of the main branch is green: 1204 tests passed in 8 minutes. '
  .repeat(3)
  .slice(0, 200);
const payload = JSON.stringify({
  text,
  username: 'build-bot',
  icon_url: 'https://example.com/bot.png',
  props: { build: 812 },
});

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite,mysql' },
    scenario: { type: 'string', default: 'start,post,list,create,trigger,isolation,memory' },
    seconds: { type: 'string', default: '8' },
    target: { type: 'string' },
    login: { type: 'string', default: 'admin' },
    password: { type: 'string', default: password },
    token: { type: 'string' },
  },
});
const scenarios = options.scenario.split(',');
const seconds = Number(options.seconds);

try {
  if (options.target) await benchTarget();
  else await benchOwn();
} catch (error) {
  exitBecauseOf(error);
}

async function benchTarget() {
  const server = { url: options.target.replace(/\/$/, ''), pid: undefined };
  const api = options.token
    ? new ApiClient(server.url, options.token)
    : await login(server, options.login, options.password);
  await measure(`target ${server.url}`, server, api);
}

async function benchOwn() {
  await prepare();
  for (const database of options.database.split(',')) {
    const place = await makePlace(database);
    try {
      const server = await startHookline(place);
      const api = await login(server, 'admin', password);
      await measure(`Hookline on ${place.title}`, server, api, place);
      await server.stop();
      if (scenarios.includes('memory')) await measureFreshMemory(place);
    } finally {
      await place.remove();
    }
  }
}

async function login(server, loginId, secret) {
  const api = await new ApiClient(server.url).login(loginId, secret);
  if (!api) throw new Error(`${server.url} refuses the login of ${loginId}.`);
  return api;
}

async function makePlace(database) {
  const data = temporaryFolder();
  if (database === 'sqlite') {
    const file = path.join(data.folder, 'hookline.db');
    return { title: 'SQLite', env: { DATA_DIR: data.folder }, bare: ['sqlite', file], remove: data.remove };
  }
  const { startDatabaseServer } = await import('../scripts/database-server.mjs');
  const server = await startDatabaseServer({ flushLogAtTrxCommit: 1 });
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({ uri: server.url });
  await connection.query('CREATE DATABASE IF NOT EXISTS hookline_bench CHARACTER SET utf8mb4');
  await connection.end();
  const url = new URL(server.url);
  url.pathname = '/hookline_bench';
  return {
    title: server.version,
    env: { DATA_DIR: data.folder, DATABASE_URL: url.href },
    bare: ['mysql', url.href],
    remove: async () => {
      await server.stop();
      data.remove();
    },
  };
}

function startHookline(place) {
  const settings = {
    ADMIN_PASSWORD: password,
    LOG_LEVEL: 'warn',
    ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
    INCOMING_WEBHOOKS_PER_TEAM: '1000000',
    OUTGOING_WEBHOOKS_PER_TEAM: '1000000',
  };
  return ServerProcess.start({ ...place.env, ...settings }, { isBuilt: true });
}

async function measure(title, server, api, place) {
  console.log(`\n## ${title}\n`);
  if (scenarios.includes('start') && server.startMs) {
    console.log(`Start on an empty database to the first answer: ${Math.round(server.startMs)} ms\n`);
  }
  if (scenarios.includes('post')) await measurePosting(server, api, place);
  if (scenarios.includes('list')) await measureList(server, api);
  if (scenarios.includes('create')) await measureCreate(server, api);
  if (scenarios.includes('trigger')) await measureTriggers(server, api, seconds);
  if (scenarios.includes('isolation') && !(await measureIsolation(api))) process.exitCode = 1;
}

async function measurePosting(server, api, place) {
  const channel = await makeChannel(api);
  const hook = await api.call('POST', '/hooks/incoming', { channel_id: channel.id, display_name: 'Bench' });
  const request = postRequest(`${server.url}/hooks/${hook.id}`);
  await generateLoad({ url: server.url, connections: 16, seconds: 2, request: () => request }); // warm-up
  const rows = [];
  for (const connections of [1, 16, 64]) {
    const before = await messageCount(api, channel.id);
    const ours = await watched(server.pid, () =>
      generateLoad({ url: server.url, connections, seconds, request: () => request }),
    );
    const stored = (await messageCount(api, channel.id)) - before;
    const row = { connections, ...ours, stored, bare: undefined };
    if (place) row.bare = await measureBare(place, connections);
    rows.push(row);
    requireStored(row);
  }
  table(
    [
      'posting through a hook',
      'posts/s',
      'p50 ms',
      'p95 ms',
      'p99 ms',
      'CPU µs/post',
      'RSS MiB',
      'acknowledged',
      'stored',
      'bare posts/s',
      'bare p50 ms',
      'share of bare',
    ],
    rows.map((row) => [
      `${row.connections} connections`,
      Math.round(row.rate),
      ms(row.p50),
      ms(row.p95),
      ms(row.p99),
      row.cpuMicros,
      row.rss,
      row.ok,
      row.stored,
      row.bare ? Math.round(row.bare.rate) : '',
      row.bare ? ms(row.bare.p50) : '',
      row.bare ? `${Math.round((row.rate / row.bare.rate) * 100)} %` : '',
    ]),
  );
  if (!place) return;
  const single = await startProcess(
    process.execPath,
    ['bench/bare-server.mjs', ...place.bare, 'single-commits'],
    {
      ready: (output) => (output.includes('}') ? JSON.parse(output) : undefined),
    },
  );
  console.log(
    `One bare single-row commit: p50 ${ms(single.value.p50)} ms, p99 ${ms(single.value.p99)} ms. ` +
      `Posting at 1 connection has a p50 ${ms(rows[0].p50 - single.value.p50)} ms above it.\n`,
  );
}

async function measureBare(place, connections) {
  const bare = await startProcess(process.execPath, ['bench/bare-server.mjs', ...place.bare], {
    ready: (output) => /http:\S+/.exec(output)?.[0],
  });
  const request = postRequest(`${bare.value}/`);
  await generateLoad({ url: bare.value, connections, seconds: 1, request: () => request });
  const result = await generateLoad({ url: bare.value, connections, seconds, request: () => request });
  await bare.stop();
  return result;
}

async function measureList(server, api) {
  const channel = await makeChannel(api);
  const hooks = 10_000;
  const create = authorised(
    api,
    'POST',
    '/hooks/incoming',
    JSON.stringify({ channel_id: channel.id, display_name: 'One of many' }),
  );
  await generateLoad({ url: server.url, connections: 16, count: hooks, request: () => create });
  const rows = [];
  for (const connections of [1, 16]) {
    const pages = Array.from({ length: 100 }, (_, page) =>
      authorised(api, 'GET', `/hooks/incoming?team_id=${channel.team_id}&page=${page}&per_page=60`),
    );
    const result = await watched(server.pid, () =>
      generateLoad({
        url: server.url,
        connections,
        seconds: seconds / 2,
        request: (n) => pages[(n * 37) % pages.length],
      }),
    );
    rows.push([
      `${connections} connections`,
      Math.round(result.rate),
      ms(result.p50),
      ms(result.p95),
      ms(result.p99),
      result.cpuMicros,
      result.failed,
    ]);
  }
  table(['list 60 of 10,000 hooks', 'lists/s', 'p50 ms', 'p95 ms', 'p99 ms', 'CPU µs/list', 'failed'], rows);
}

async function measureCreate(server, api) {
  const channel = await makeChannel(api);
  const create = authorised(
    api,
    'POST',
    '/hooks/incoming',
    JSON.stringify({ channel_id: channel.id, display_name: 'New' }),
  );
  const rows = [];
  for (const connections of [1, 16]) {
    const result = await watched(server.pid, () =>
      generateLoad({ url: server.url, connections, seconds: seconds / 2, request: () => create }),
    );
    rows.push([
      `${connections} connections`,
      Math.round(result.rate),
      ms(result.p50),
      ms(result.p95),
      ms(result.p99),
      result.cpuMicros,
      result.failed,
    ]);
  }
  table(['create hooks', 'hooks/s', 'p50 ms', 'p95 ms', 'p99 ms', 'CPU µs/hook', 'failed'], rows);
}

/** Uses a new process, so that earlier measurements do not count. */
async function measureFreshMemory(place) {
  const server = await startHookline(place);
  const api = await login(server, 'admin', password);
  await measureMemory(server, api);
  await server.stop();
}

async function measureMemory(server, api) {
  const channel = await makeChannel(api);
  const hook = await api.call('POST', '/hooks/incoming', { channel_id: channel.id, display_name: 'Bench' });
  const request = postRequest(`${server.url}/hooks/${hook.id}`);
  const rows = [];
  for (const total of [100_000, 200_000, 300_000]) {
    await generateLoad({ url: server.url, connections: 64, count: 100_000, request: () => request });
    rows.push([`after ${total} posts`, await messageCount(api, channel.id), ...(await atRest(server))]);
  }
  table(['memory at rest', 'stored', 'RSS MiB', 'heap used MiB (least of 5 s)'], rows);
}

async function atRest(server) {
  let heap = Infinity;
  for (let i = 0; i < 10; i++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    heap = Math.min(heap, Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)?.[1]));
  }
  return [Math.round(residentMiB(server.pid)), (heap / 1024 / 1024).toFixed(1)];
}

async function watched(pid, work) {
  const before = pid ? cpuSeconds(pid) : 0;
  const result = await work();
  if (!pid) return { ...result, cpuMicros: '', rss: '' };
  return {
    ...result,
    cpuMicros: Math.round(((cpuSeconds(pid) - before) / Math.max(1, result.ok)) * 1e6),
    rss: Math.round(residentMiB(pid)),
  };
}

function requireStored(row) {
  if (row.failed > 0) throw new Error(`${row.failed} posts were refused: ${JSON.stringify(row.statuses)}`);
  if (row.stored !== row.ok)
    throw new Error(`${row.ok} posts were acknowledged, but ${row.stored} are stored.`);
}

function postRequest(url) {
  return httpRequest({ method: 'POST', url, headers: { 'Content-Type': 'application/json' }, body: payload });
}

function authorised(api, method, apiPath, body) {
  const headers = {
    Authorization: `Bearer ${api.token}`,
    ...(body ? { 'Content-Type': 'application/json' } : {}),
  };
  return httpRequest({ method, url: `${api.url}/api/v4${apiPath}`, headers, body });
}
