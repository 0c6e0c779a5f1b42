/**
 * `npm run bench -- --scenario=growth`: the same operations on a small database and on a large one, by turns.
 *
 *   npm run bench -- --scenario=growth --size=1m     against a million posts instead of ten; small, 1m, 10m
 */
import { sizes } from '../fill/fill.mjs';
import { grow, run } from '../fill/grown.mjs';
import { commonWord } from '../fill/texts.mjs';
import { hookRequest, operationsOn } from './growth-operations.mjs';
import { generateLoad } from '../load.mjs';
import { apiRequest, jsonRequest } from '../requests.mjs';
import { startHookline } from '../places.mjs';
import { cpuSeconds } from '../processes.mjs';
import { median } from '../table.mjs';
import { measureFailures } from './growth-failures.mjs';
import { judged, printGrowth } from './growth-rows.mjs';

export { grow, run } from '../fill/grown.mjs';

const rounds = 5;
const countOfRound = 60;
const secondsOfRound = 3;
/** A search that takes longer reads posts that are not packed. */
const packedMs = 150;
const starts = 3;
const aimOfStart = { p50: 1.2 };
/** How long the event loop serves others while somebody searches: no worse than while as many post as elsewhere here. */
const others = { connections: 4, perSecond: 100, seconds: 4 };
const postersBeside = 16;
const aimOfTurns = { p50: 1, p99: 1 };

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
    rows.push(await measureTurns(large));
    await small.server.stop();
    rows.push(...(await measureFailures(large)));
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

/** What somebody else waits for the smallest answer while searches run one after the other, beside while others post. */
async function measureTurns({ api, models }) {
  const smallest = jsonRequest('GET', `${api.url}/health/live`);
  const beside = async (connections, request) => {
    const load = { url: api.url, connections, seconds: others.seconds, request: () => request };
    const elsewhere = { url: api.url, from: '127.0.0.2', ...others, request: () => smallest };
    const [work, served] = await Promise.all([generateLoad(load), generateLoad(elsewhere)]);
    return { p50: served.p50, p99: served.p99, failed: work.failed + served.failed };
  };
  const search = apiRequest(api, 'POST', `/teams/${models.team}/posts/search`, { terms: commonWord });
  const figures = { posts: [], searches: [] };
  for (let round = 0; round < rounds; round++) {
    figures.posts.push(await beside(postersBeside, hookRequest(api, models.incoming)));
    figures.searches.push(await beside(1, search));
  }
  const [posts, searches] = [summary(figures.posts), summary(figures.searches)];
  return judged('smallest answer: beside searches, to beside posts', aimOfTurns, posts, searches);
}
