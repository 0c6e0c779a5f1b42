/**
 * `npm run bench -- --scenario=live`: a post to all connected members of a channel, with 1,000 and with 5,000 connections
 * of 500 users, and what that costs posting elsewhere. Then a client that does not read.
 */
import { createHash, randomBytes } from 'node:crypto';
import { idOf, openDatabase } from '../fill/database.mjs';
import { listTable, multiply } from '../fill/rows.mjs';
import { startClients } from '../live-connections.mjs';
import { generateLoad } from '../load.mjs';
import { login, makePlace, password, startHookline } from '../places.mjs';
import { cpuSeconds, residentMiB } from '../processes.mjs';
import { apiRequest, jsonRequest, textOf } from '../requests.mjs';
import { median, ms, table } from '../table.mjs';

const users = 500;
const counts = [1_000, 5_000];
const rounds = 30;
const largeText = 16_000;
const betweenPostsMs = 100;
const elsewhereSeconds = 4;
const turns = 5;
/** How much of the rate elsewhere must be left while everybody hears of a post each second. */
const aims = { p99Ratio: 3, kib: 20, elsewhere: 0.8 };

export async function measureLive(database) {
  const place = await makePlace(database);
  try {
    const models = await prepareMembers(place);
    const rows = [];
    for (const count of counts) rows.push(await measureConnections(place, models, count));
    rows.at(-1).isMet = verdictsOf(rows).every(([, isMet]) => isMet);
    const named = rows.map((row) => ({ database: place.database, scenario: 'live', ...row }));
    printLive(named);
    return named;
  } finally {
    await place.remove();
  }
}

/** A team with two channels: one with all users in it, who have a session each, and a quiet one. */
async function prepareMembers(place) {
  const server = await startHookline(place, { isProbed: false });
  const api = await login(server.url, 'admin', password);
  const team = (await api.call('POST', '/teams', { name: 'live', display_name: 'Live', type: 'O' })).id;
  const makeChannel = async (name) =>
    (await api.call('POST', '/channels', { team_id: team, name, display_name: name, type: 'O' })).id;
  const [loud, quiet] = [await makeChannel('loud'), await makeChannel('quiet')];
  const account = { username: 'listener', email: 'listener@example.com', password };
  const user = (await api.call('POST', '/users', account)).id;
  await api.call('POST', `/teams/${team}/members`, { team_id: team, user_id: user });
  await api.call('POST', `/channels/${loud}/members`, { user_id: user });
  await login(server.url, 'listener', password);
  const hook = (await api.call('POST', '/hooks/incoming', { channel_id: quiet, display_name: 'Elsewhere' }))
    .id;
  await server.stop();
  return { loud, hook, tokens: await multiplyUser(place, { team, loud, user }) };
}

/** Copies the user with memberships and session, and returns the tokens of the copies. */
async function multiplyUser(place, { team, loud, user }) {
  const database = await openDatabase(place.yardstick);
  const tokens = Array.from({ length: users }, () => randomBytes(13).toString('hex'));
  const hashes = tokens.map((token, n) => ({ n, hash: createHash('sha256').update(token).digest('hex') }));
  await listTable(database, 'bench_secrets', hashes, { n: 'INTEGER', hash: 'VARCHAR(64)' });
  const id = (name) => idOf(database, 'numbers.n', users, name);
  const copies = [
    [
      'users',
      `id = '${user}'`,
      { username: "'listener' || numbers.n", email: "'l' || numbers.n || '@example.com'", id: id('users') },
    ],
    ['team_members', `team_id = '${team}' AND user_id = '${user}'`, { user_id: id('users') }],
    ['channel_members', `channel_id = '${loud}' AND user_id = '${user}'`, { user_id: id('users') }],
    [
      'sessions',
      `user_id = '${user}'`,
      { id: id('sessions'), user_id: id('users'), token_hash: 'secrets.hash' },
    ],
  ];
  for (const [name, where, columns] of copies)
    await multiply(database, {
      ...{ table: name, where, columns, count: users },
      join: 'JOIN bench_secrets AS secrets ON secrets.n = numbers.n',
    });
  await database.dropOwnTables();
  await database.close();
  return tokens;
}

async function measureConnections(place, { loud, hook, tokens }, count) {
  const server = await startHookline(place, { isProbed: false, isMeasured: true });
  const clients = startClients();
  try {
    const api = await login(server.url, 'admin', password);
    const elsewhere = () => post(server, hook);
    const before = { rss: residentMiB(server.pid), live: await server.liveMiB() };
    const all = Array.from({ length: count }, (_, n) => tokens[n % tokens.length]);
    await clients.ask('connect', { url: server.url, tokens: all });
    await pause(1_000);
    const live = await server.liveMiB();
    const rss = residentMiB(server.pid);
    const fanOut = await measureFanOut(server, api, clients, loud, count);
    const unreadMiB = await cutSlowReader(server, api, hook);
    await elsewhere(); // warm-up
    const cost = await measureCost(elsewhere, api, loud);
    return {
      connections: count,
      liveKiB: ((live - before.live) * 1024) / count,
      rssKiB: ((rss - before.rss) * 1024) / count,
      ...fanOut,
      ...cost,
      unreadMiB,
    };
  } finally {
    await clients.stop();
    await server.stop();
  }
}

/** Posts one after the other, each when all have heard of the one before. */
async function measureFanOut(server, api, clients, channel, count) {
  const all = [];
  const last = [];
  let cpu = 0;
  for (let round = -3; round < rounds; round++) {
    const before = cpuSeconds(server.pid);
    await say(api, channel);
    const travels = await clients.ask('takeTravels', { count });
    await pause(betweenPostsMs);
    if (travels.length !== count)
      throw new Error(`${travels.length} of ${count} connections heard of a post.`);
    if (round < 0) continue; // warm-up
    all.push(...travels);
    last.push(Math.max(...travels));
    cpu += cpuSeconds(server.pid) - before;
  }
  all.sort((a, b) => a - b);
  const at = (share) => all[Math.floor(all.length * share)];
  return { p50: at(0.5), p99: at(0.99), last: median(last), cpuMicros: (cpu / all.length) * 1e6 };
}

/** Posting elsewhere without and with a post to all each second, by turns. */
async function measureCost(elsewhere, api, loud) {
  const ratios = [];
  for (let turn = 0; turn < turns; turn++) {
    const quiet = await elsewhere();
    const isDone = { value: false };
    const talk = talkUntil(isDone, api, loud);
    const meanwhile = await elsewhere();
    isDone.value = true;
    await talk;
    ratios.push({ rate: meanwhile.rate / quiet.rate, p99: meanwhile.p99 / quiet.p99 });
  }
  const middle = (name) => median(ratios.map((one) => one[name]));
  return { elsewhere: middle('rate'), elsewhereP99: middle('p99') };
}

/** A client stops reading. Returns how much it was sent before the server cut it. */
async function cutSlowReader(server, api, hook) {
  const slow = startClients();
  try {
    const before = await openConnections(server);
    await slow.ask('connect', { url: server.url, tokens: [api.token] });
    await slow.ask('pauseReading');
    const body = { text: textOf(200).repeat(largeText / 200), username: 'build-bot' };
    const request = jsonRequest('POST', `${server.url}/hooks/${hook}`, body);
    for (let posts = 16; posts <= 2_000; posts += 16) {
      await generateLoad({ url: server.url, connections: 4, count: 16, request: () => request });
      if ((await openConnections(server)) <= before) return (posts * largeText) / 2 ** 20;
    }
    throw new Error('A client that does not read was not cut.');
  } finally {
    await slow.stop();
  }
}

async function openConnections(server) {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^hookline_live_connections (\S+)/m.exec(metrics)?.[1]);
}

async function talkUntil(isDone, api, channel) {
  while (!isDone.value) {
    await say(api, channel);
    await pause(1_000);
  }
}

function say(api, channel) {
  const sentAt = performance.timeOrigin + performance.now();
  const request = apiRequest(api, 'POST', '/posts', {
    channel_id: channel,
    message: `sent:${sentAt}: ${textOf(200)}`,
  });
  return generateLoad({ url: api.url, connections: 1, count: 1, request: () => request });
}

function post(server, hook) {
  const request = jsonRequest('POST', `${server.url}/hooks/${hook}`, {
    text: textOf(200),
    username: 'build-bot',
  });
  return generateLoad({
    url: server.url,
    connections: 16,
    seconds: elsewhereSeconds,
    request: () => request,
  });
}

const pause = (duration) => new Promise((resolve) => setTimeout(resolve, duration));

/** The numbers of connections on one database. */
export function printLive(rows) {
  console.log(`### Live stream on ${rows[0].database}: a post heard by all connections of ${users} users\n`);
  table(
    [
      'connections',
      'p50 ms',
      'p99 ms',
      'last ms',
      'CPU µs/event',
      'KiB each, live',
      'KiB each, resident',
      'posting elsewhere',
      'its p99',
      'cut with MiB unread',
    ],
    rows.map((row) => [
      ...[row.connections, ms(row.p50), ms(row.p99), ms(row.last), ms(row.cpuMicros)],
      ...[
        ms(row.liveKiB),
        ms(row.rssKiB),
        `${Math.round(row.elsewhere * 100)} %`,
        `${ms(row.elsewhereP99)} ×`,
        ms(row.unreadMiB),
      ],
    ]),
  );
  for (const [what, isMet, aim] of verdictsOf(rows))
    console.log(`- ${isMet ? 'PASS' : 'FAIL'}: ${what}; the aim is ${aim}.`);
  console.log();
}

function verdictsOf([few, many]) {
  return [
    [
      `p99 with ${many.connections} connections ${ms(many.p99 / few.p99)} × of that with ${few.connections}`,
      many.p99 <= few.p99 * aims.p99Ratio,
      `${aims.p99Ratio} ×`,
    ],
    [`${ms(many.rssKiB)} KiB a connection`, many.rssKiB < aims.kib, `${aims.kib} KiB`],
    [
      `posting elsewhere at ${Math.round(many.elsewhere * 100)} %`,
      many.elsewhere >= aims.elsewhere,
      `${aims.elsewhere * 100} %`,
    ],
  ];
}
