/**
 * `npm run bench -- --scenario=growth`: the same operations on a small database and on a large one, by turns.
 *
 *   npm run bench -- --scenario=growth --size=1m     against a million posts instead of ten; small, 1m, 10m
 */
import { openDatabase } from '../fill/database.mjs';
import { fill, sizes } from '../fill/fill.mjs';
import { makeModels } from '../fill/models.mjs';
import { operationsOn } from './growth-operations.mjs';
import { generateLoad } from '../load.mjs';
import { apiRequest } from '../requests.mjs';
import { login, makePlace, password, startHookline } from '../places.mjs';
import { cpuSeconds } from '../processes.mjs';
import { median, ms, table } from '../table.mjs';

const rounds = 5;
const countOfRound = 60;
const secondsOfRound = 3;
/** A search that takes longer reads posts that are not packed. */
const packedMs = 150;
const starts = 3;
const aimOfStart = { p50: 1.2 };
const refusedSeconds = 20;
/** Of one core: more than that, and the server still does what the load has left. */
const idleShare = 0.02;
/** Of one core. */
const aimOfRefused = 0.05;

/** @returns rows of figures, and the names of what is beyond its aim */
export async function measureGrowth(database, { size }) {
  if (!sizes[size]) throw new Error(`--size takes ${Object.keys(sizes).join(', ')}, not ${size}.`);
  const small = await grow(database, 'small');
  const large = await grow(database, size).catch(async (error) => {
    await small.place.remove();
    throw error;
  });
  try {
    const rows = [await measureStarts(small, large)];
    await Promise.all([run(small), run(large)]);
    await Promise.all([prepareSearch(small), prepareSearch(large)]);
    rows.push(...(await measureOperations(small, large)));
    await small.server.stop();
    rows.push(await measureRefused(large));
    const named = rows.map((row) => ({ database: large.place.database, scenario: 'growth', size, ...row }));
    printGrowth(named);
    return named;
  } finally {
    for (const { server, place } of [small, large]) {
      if (server && !server.hasEnded) await server.stop();
      await place.remove();
    }
  }
}

/** A filled database without a server. */
export async function grow(database, size) {
  const place = await makePlace(database);
  try {
    const server = await startHookline(place, { isProbed: false });
    const models = await makeModels(await login(server.url, 'admin', password));
    await server.stop();
    const say = (sentence) => console.log(`${place.database}, ${size}: ${sentence}`);
    return { place, models, size: sizes[size], landmarks: await fill(place, models, sizes[size], say) };
  } catch (error) {
    await place.remove();
    throw error;
  }
}

/** Starts a server on it, and signs in. */
export async function run(grown) {
  grown.server = await startHookline(grown.place, { isProbed: false });
  grown.api = await login(grown.server.url, 'admin', password);
}

/** Searches until the server has packed the posts that are searched, which a search asks for; five minutes at most. */
async function prepareSearch({ api, models }) {
  const terms = { terms: 'nosuchword' };
  const request = apiRequest(api, 'POST', `/teams/${models.team}/posts/search`, terms);
  for (let tries = 0; tries < 60; tries++) {
    const { p50, failed } = await generateLoad({
      ...{ url: api.url, connections: 1, count: 1 },
      request: () => request,
    });
    if (failed === 0 && p50 < packedMs) return;
    await new Promise((resolve) => setTimeout(resolve, 5_000));
  }
}

/** CPU from the start to the first answer. */
async function measureStarts(small, large) {
  const cpu = new Map([
    [small, []],
    [large, []],
  ]);
  for (let start = 0; start < starts; start++) {
    for (const [grown, figures] of cpu) {
      const server = await startHookline(grown.place, { isProbed: false });
      figures.push(cpuSeconds(server.pid) * 1000);
      await server.stop();
    }
  }
  const figures = (grown) => ({ p50: median(cpu.get(grown)), p99: Math.max(...cpu.get(grown)), failed: 0 });
  return judged('start: CPU to the first answer', aimOfStart, figures(small), figures(large));
}

async function measureOperations(small, large) {
  const [ofSmall, ofLarge] = [small, large].map(({ api, models, landmarks }) =>
    operationsOn(api, models, landmarks),
  );
  const rows = [];
  for (const [index, [name, aim, onSmall]] of ofSmall.entries()) {
    const figures = { small: [], large: [] };
    const load = { count: countOfRound, seconds: secondsOfRound };
    for (const work of [onSmall, ofLarge[index][2]]) await work({ ...load, count: 5 }); // warm-up
    for (let round = 0; round < rounds; round++) {
      figures.small.push(await onSmall(load));
      figures.large.push(await ofLarge[index][2](load));
    }
    rows.push(judged(name, aim, summary(figures.small), summary(figures.large)));
  }
  return rows;
}

function summary(figures) {
  const middle = (name) => median(figures.map((one) => one[name]));
  return {
    p50: middle('p50'),
    p99: middle('p99'),
    failed: figures.reduce((sum, { failed }) => sum + failed, 0),
  };
}

function judged(name, aim, small, large) {
  const ratio = { p50: large.p50 / small.p50, p99: large.p99 / small.p99 };
  const isMet =
    large.failed === 0 &&
    ratio.p50 <= aim.p50 &&
    ratio.p99 <= (aim.p99 ?? Infinity) &&
    large.p50 <= (aim.maxMs ?? Infinity);
  return { operation: name, aim, small, large, ratio, isMet, p50: large.p50, p99: large.p99 };
}

/**
 * Half of all open deliveries are due at once, at an address that refuses: what the server spends on them. Beside what it
 * spends anyway after such a start, as it packs posts for searches whenever there is time.
 */
async function measureRefused(large) {
  await waitUntilIdle(large.server);
  await large.server.stop();
  const without = await shareAfterStart(large);
  await large.server.stop();
  const database = await openDatabase(large.place.yardstick);
  const due = `UPDATE deliveries SET next_attempt_at = ? WHERE owner_id = ? AND status IN ('pending', 'retrying')`;
  await database.run(due, [Date.now(), large.models.refused]);
  await database.dropOwnTables();
  await database.close();
  const share = await shareAfterStart(large);
  const name = `${large.size.open / 2} deliveries due at an address that refuses: share of a core`;
  return {
    operation: name,
    aim: { share: aimOfRefused },
    ...{ share, without },
    isMet: share - without <= aimOfRefused,
  };
}

/** Posts are packed for searches in the background: until that is done, ten minutes at most. */
async function waitUntilIdle(server) {
  for (let tries = 0; tries < 60; tries++) if ((await shareOf(server, 10)) < idleShare) return;
}

/** Of a core, for a while from five seconds after the start. */
async function shareAfterStart(large) {
  await run(large);
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  return shareOf(large.server, refusedSeconds);
}

async function shareOf(server, seconds) {
  const before = cpuSeconds(server.pid);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return (cpuSeconds(server.pid) - before) / seconds;
}

/** The operations of one database. */
export function printGrowth(rows) {
  const [{ database, size }] = rows;
  console.log(`### Growth on ${database}: ${size} against small\n`);
  table(
    [
      'operation',
      'small p50',
      'large p50',
      'ratio',
      'aim',
      'small p99',
      'large p99',
      'ratio',
      'aim',
      'failed',
      '',
    ],
    rows.map((row) => [row.operation, ...cells(row), row.isMet ? '' : 'beyond its aim']),
  );
  const beyond = rows.filter(({ isMet }) => !isMet);
  console.log(`${rows.length - beyond.length} of ${rows.length} within their aims. Times in ms.\n`);
}

function cells({ aim, small, large, ratio, share, without = 0 }) {
  if (share !== undefined) {
    const more = (share - without).toFixed(3);
    return [`${without.toFixed(3)} without`, share.toFixed(3), `${more} more`, aim.share, '', '', '', '', ''];
  }
  const most = aim.maxMs === undefined ? aim.p50 : `${aim.p50}, ${aim.maxMs} ms`;
  return [
    ...[ms(small.p50), ms(large.p50), ms(ratio.p50), most],
    ...[ms(small.p99), ms(large.p99), ms(ratio.p99), aim.p99 ?? '', large.failed],
  ];
}
