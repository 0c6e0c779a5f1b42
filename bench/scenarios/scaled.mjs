/**
 * `npm run bench -- --scenario=scaled`: posting and triggering with one, two and three processes that share a
 * database and Redis, compared with one process without Redis on the same database. They alternate in every round.
 */
import { startRedisServer } from '../../scripts/redis-server.mjs';
import { makeChannel, messageCount } from '../channels.mjs';
import { generateLoad } from '../load.mjs';
import { login, makePlace, password, startHookline } from '../places.mjs';
import { makeTriggeredChannel, messageRequest, startReceivers, triggerLoad } from '../receivers.mjs';
import { jsonRequest, textOf } from '../requests.mjs';
import { median, ms, percent, table, whole } from '../table.mjs';

/** Two processes can work at two lanes at once. */
const endpoints = 4;
const connections = [1, 16];
/** One connection uses one process. */
const connectionsOf = ({ processes }) => connections.filter((count) => count >= processes);
/** How much of its throughput one process may lose by using Redis. */
const aim = 0.15;
const modes = [
  { mode: 'without Redis', processes: 1, isScaled: false },
  ...[1, 2, 3].map((processes) => ({ mode: `${processes} with Redis`, processes, isScaled: true })),
];
let started = 0;

export async function measureScaled(database, { seconds, rounds, smoke }) {
  if (database === 'sqlite') return []; // it always has a single process
  const turns = smoke ? 1 : Number(rounds);
  const bench = { seconds: Number(seconds ?? (smoke ? 1 : 9)) / turns, redis: await startRedisServer() };
  const place = await makePlace(database);
  bench.receivers = await startReceivers(endpoints);
  try {
    const found = [];
    for (let turn = 0; turn < turns; turn++)
      for (const each of turn % 2 ? modes.toReversed() : modes)
        found.push(...(await measureTurn(place, bench, each)));
    const rows = summary(found).map((row) => ({ database: place.database, scenario: 'scaled', ...row }));
    printScaled(rows);
    return rows;
  } finally {
    await bench.receivers.stop();
    await Promise.all([place.remove(), bench.redis.stop()]);
  }
}

/** Starts the processes, warms them up, and measures each operation. */
async function measureTurn(place, bench, { mode, processes, isScaled }) {
  const env = isScaled ? { REDIS_URL: bench.redis.url } : {};
  const servers = [];
  try {
    for (let n = 0; n < processes; n++)
      servers.push(await startHookline(place, { name: `server-${started++}`, env }));
    const api = await login(servers[0].url, 'admin', password);
    const url = servers.map((server) => server.url);
    const operations = {
      post: await prepareToPost(api, url),
      trigger: await prepareToTrigger(api, url, bench),
    };
    const rows = [];
    for (const [operation, run] of Object.entries(operations)) {
      await run({ connections: 16, seconds: Math.min(2, bench.seconds) }); // warm-up
      for (const count of connectionsOf({ processes })) {
        const load = { connections: count, seconds: bench.seconds };
        const before = await cpuMicros(servers);
        const { ok, rate, p50, p99 } = await run(load);
        const cpu = ((await cpuMicros(servers)) - before) / ok;
        rows.push({ mode, operation, connections: count, done: ok, rate, p50, p99, cpuMicros: cpu });
      }
    }
    return rows;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function cpuMicros(servers) {
  const used = await Promise.all(servers.map((server) => server.use()));
  return used.reduce((sum, each) => sum + each.cpuMicros, 0);
}

async function prepareToPost(api, url) {
  const channel = await makeChannel(api);
  const hook = await api.call('POST', '/hooks/incoming', { channel_id: channel.id, display_name: 'Bench' });
  const body = { text: textOf(200), username: 'build-bot' };
  const request = jsonRequest('POST', `${api.url}/hooks/${hook.id}`, body);
  return (load) => requireStored(api, channel, () => generateLoad({ url, request: () => request, ...load }));
}

async function prepareToTrigger(api, url, { receivers }) {
  const channel = await makeTriggeredChannel(api, receivers.urls);
  const request = messageRequest(api, channel.id);
  return (load) =>
    requireStored(
      api,
      channel,
      () => triggerLoad({ url, request, receivers, endpoints, ...load }),
      endpoints,
    );
}

/** Rejects figures if acknowledged posts are not stored. */
async function requireStored(api, channel, work, deliveriesEach = 1) {
  const before = await messageCount(api, channel.id);
  const result = await work();
  if (result.failed > 0)
    throw new Error(`${result.failed} requests failed: ${JSON.stringify(result.statuses)}`);
  const stored = (await messageCount(api, channel.id)) - before;
  const acknowledged = result.ok / deliveriesEach;
  if (stored !== acknowledged)
    throw new Error(`${acknowledged} posts were acknowledged, but ${stored} are stored.`);
  return result;
}

/** The median round, compared with the same rounds without Redis. */
function summary(found) {
  const rows = [];
  for (const operation of ['post', 'trigger'])
    for (const count of connections) {
      const of = (mode) =>
        found.filter((row) => row.mode === mode && row.operation === operation && row.connections === count);
      const alone = of(modes[0].mode);
      for (const { mode, processes } of modes.filter((one) => connectionsOf(one).includes(count))) {
        const rounds = of(mode);
        const middle = (name) => median(rounds.map((row) => row[name]));
        const share = (name) => median(rounds.map((row, round) => row[name] / alone[round][name]));
        rows.push({
          ...{ operation: `${operation}, ${mode}`, processes, connections: count },
          ...{ rate: middle('rate'), p50: middle('p50'), p99: middle('p99'), cpuMicros: middle('cpuMicros') },
          ...{ rateShare: share('rate'), cpuShare: share('cpuMicros') },
          ...(mode === modes[1].mode ? { isMet: 1 - share('rate') <= aim } : {}),
          done: rounds.reduce((sum, { done }) => sum + done, 0),
        });
      }
    }
  return rows;
}

/** The modes on one database. */
export function printScaled(rows) {
  console.log(`### Several processes on ${rows[0].database}: throughput, and the cost of Redis\n`);
  table(
    ['', 'connections', 'per second', 'of one without', 'p50 / p99 ms', 'CPU µs', 'of one without'],
    rows.map((row) => [
      ...[row.operation, row.connections, whole(row.rate), percent(row.rateShare)],
      ...[`${ms(row.p50)} / ${ms(row.p99)}`, whole(row.cpuMicros), percent(row.cpuShare)],
    ]),
  );
  for (const row of rows.filter(({ operation }) => operation.endsWith(modes[1].mode))) {
    const cost = 1 - row.rateShare;
    const what = `${row.operation} costs ${percent(cost)} of the rate on ${row.connections} connections`;
    console.log(`- ${row.isMet ? 'PASS' : 'FAIL'}: ${what}; the aim is ${percent(aim)} at most.`);
  }
  console.log();
}
