/** Runs the scenarios. */
import { ApiClient } from '../test/support/api-client.mjs';
import { Failure, prepare } from '../scripts/prepare.mjs';
import { measure } from './measure.mjs';
import { login, makePlace, password, startHookline, startYardstick } from './places.mjs';
import { machine } from './results.mjs';
import { create, get, list } from './scenarios/hooks.mjs';
import { measureIsolation } from './scenarios/isolation.mjs';
import { measureMemory } from './scenarios/memory.mjs';
import { post } from './scenarios/post.mjs';
import { read } from './scenarios/read.mjs';
import { measureSameHost } from './scenarios/same-host.mjs';
import { measureScaled } from './scenarios/scaled.mjs';
import { measureStart } from './scenarios/start.mjs';
import { fanOut, trigger } from './scenarios/trigger.mjs';
import { printRows } from './table.mjs';

/** Measured against the yardstick. */
export const scenarios = [post, list, get, create, trigger, fanOut, read];
/** Measured on separate processes. */
const ofProcess = { start: measureStart, memory: measureMemory };
/** Measured on separate databases, for a long time, and only if they are named. */
const alone = { scaled: measureScaled };

const SIZES = { hooks: 10_000, posts: 10_000, messages: 100, postsForMemory: 100_000, starts: 5 };
const SMALL = { hooks: 600, posts: 200, messages: 3, postsForMemory: 200, starts: 1 };

export async function benchOwn(options) {
  const { wanted, ...common } = planOf(options);
  await prepare();
  const rows = [];
  for (const database of options.database.split(',')) {
    for (const [name, measureAlone] of Object.entries(alone))
      if (wanted(name)) rows.push(...(await measureAlone(database, options)));
    if (!options.smoke && rows.some(({ isMet }) => isMet === false)) process.exitCode = 1;
    if (!common.names.some((name) => wanted(name))) continue;
    const place = await makePlace(database);
    const bench = { ...common, database: place.database };
    console.log(`\n## Hookline on ${place.database}\n`);
    try {
      await measureServer(place, bench, wanted, rows);
      for (const [name, measureProcess] of Object.entries(ofProcess))
        if (wanted(name)) rows.push(...show(await measureProcess(place, bench)));
    } finally {
      await place.remove();
    }
  }
  return { machine: machine(), seconds: common.seconds, rows };
}

async function measureServer(place, common, wanted, rows) {
  const server = await startHookline(place);
  const yardstick = await startYardstick(place);
  try {
    const api = await login(server.url, 'admin', password);
    const bench = { ...common, server, yardstick, api };
    for (const scenario of scenarios)
      if (wanted(scenario.name)) rows.push(...show(await measure(bench, scenario), scenario));
    if (wanted('same-host') && !(await measureSameHost(api))) process.exitCode = 1;
    if (wanted('isolation') && !(await measureIsolation(api, common.sizes === SMALL ? 1 : 5)))
      process.exitCode = 1;
  } finally {
    await Promise.all([server.stop(), yardstick.stop()]);
  }
}

/** Another server: without a yardstick and process figures. */
export async function benchTarget(options) {
  const { wanted, ...common } = planOf(options);
  const url = options.target.replace(/\/$/, '');
  const api = options.token
    ? new ApiClient(url, options.token)
    : await login(url, options.login, options.password ?? password);
  const bench = { ...common, database: url, server: {}, api };
  const rows = [];
  console.log(`\n## ${url}\n`);
  for (const scenario of scenarios)
    if (wanted(scenario.name)) rows.push(...show(await measure(bench, scenario), scenario));
  if (wanted('same-host') && !(await measureSameHost(api))) process.exitCode = 1;
  if (wanted('isolation') && !(await measureIsolation(api))) process.exitCode = 1;
  return { machine: machine(), seconds: common.seconds, rows };
}

function planOf({ scenario, seconds, rounds, smoke }) {
  const names = [...scenarios.map(({ name }) => name), ...Object.keys(ofProcess), 'isolation', 'same-host'];
  const chosen = scenario?.split(',') ?? names;
  const known = [...names, ...Object.keys(alone)];
  const unknown = chosen.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Failure(`There is no scenario ${unknown}; there are ${known.join(', ')}.`);
  return {
    names,
    wanted: (name) => chosen.includes(name),
    seconds: Number(seconds ?? (smoke ? 1 : 9)),
    rounds: smoke ? 1 : Number(rounds),
    sizes: smoke ? SMALL : SIZES,
  };
}

function show(rows, scenario) {
  printRows(rows, scenario?.title ?? rows[0]?.scenario);
  return rows;
}
