/**
 * `npm run test:faults`: three processes serve one database and one Redis behind one address, and under load one thing
 * after the other goes wrong. Afterwards what was acknowledged must be stored and what is stored delivered, once.
 *
 *   npm run test:faults                                     200 faults of all kinds
 *   npm run test:faults -- --faults=20 --seed=7             the plans of an earlier run: what fails, when, how long
 *   npm run test:faults -- --kinds=kill,freeze              some kinds: kill, rolling, clocks, freeze, database, redis-stop,
 *                                                           redis-restart, redis-flush, redis-cut
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exitBecauseOf, Failure, prepare } from './prepare.mjs';
import { createDatabase, loadTypescript, printReport, readOptions, startServer } from './resilience.mjs';

const options = readOptions({
  ...{ faults: 200, connections: 12, processes: 3, seed: Date.now() % 1_000_000, kinds: 'all' },
});
const startedAt = performance.now();
const dataDir = mkdtempSync(path.join(tmpdir(), 'hookline-faults-'));
let database;
let redis;
let redisProxy;
let run;

try {
  await prepare();
  const { planKind, faultKinds } = await import('../test/resilience/chaos-plan.mjs');
  const { FaultRun } = await import('../test/resilience/fault-run.mjs');
  const { startRedisServer } = await import('./redis-server.mjs');
  const { startDatabaseProxy } = loadTypescript('../test/fakes/database-proxy.ts');
  const { ForeignPeer } = loadTypescript('../test/fakes/foreign-peer.ts');
  const kinds = options.kinds === 'all' ? Object.keys(faultKinds) : options.kinds.split(',');
  const unknown = kinds.find((kind) => !(kind in faultKinds));
  if (unknown !== undefined)
    throw new Failure(`There is no fault ${unknown}; there are ${Object.keys(faultKinds).join(', ')}.`);
  database = await startServer();
  redis = await startRedisServer({ isPrivate: true });
  redisProxy = await startDatabaseProxy(redis.url);
  const databaseUrl = await createDatabase(database.url);
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, REDIS_URL: redisProxy.url };
  const place = { dataDir, databaseUrl };
  const peer = await ForeignPeer.start();
  run = new FaultRun({
    ...options,
    ...{ env, place, database, redis, redisProxy, peer },
    kindOf: (round) => planKind(options.seed, round, kinds),
  });
  const { faults, processes, seed } = options;
  console.log(
    `${faults} faults, ${processes} processes on ${database.version} and ${redis.version}, seed ${seed}`,
  );
  conclude(await run.perform(faults, say));
} catch (error) {
  exitBecauseOf(error);
} finally {
  await run?.close();
  await redisProxy?.close();
  await Promise.all([database?.stop(), redis?.stop()]);
  rmSync(dataDir, { recursive: true, force: true });
}

function conclude({ plans, ...report }) {
  printReport(report);
  const { failedFaults } = report;
  const faults = plans.length;
  console.log(`  in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  console.log(`${faults - failedFaults} passed, ${failedFaults} failed`);
  if (failedFaults > 0) process.exitCode = 1;
}

function say({ faults, failedFaults, plans }, found) {
  const { kind } = plans.at(-1);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`  ${faults} (${kind}) after ${seconds} s, ${failedFaults} with a fault`);
  for (const fault of found.slice(0, 10)) console.log(`    ! ${fault}`);
}
