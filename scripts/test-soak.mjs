/**
 * `npm run test:soak`: the server under a mixed load of 70 % of its capacity, for half an hour. Memory, handles, the
 * event loop delay and latencies must be the same at the end as they were in the fifth minute.
 *
 *   npm run test:soak -- --minutes=120 --database=mysql --share=90
 */
import { exitBecauseOf, Failure, prepare } from './prepare.mjs';
import { readOptions } from './resilience.mjs';

const settlesWithinMinutes = 5;
const maximumSeconds = 15;
const connectionsThatHear = 25;
/** A full collection stops the server for a moment, so the time around it does not count. */
const readingSeconds = 15;

const options = readOptions({ minutes: 30, share: 70, database: 'sqlite' });

try {
  await prepare();
  for (const name of options.databases) await soak(name);
} catch (error) {
  exitBecauseOf(error);
}

async function soak(name) {
  const { login, makePlace, password, startHookline } = await import('../bench/places.mjs');
  const { prepareMixedLoad } = await import('../bench/mixed-load.mjs');
  const { startClients } = await import('../bench/live-connections.mjs');
  const { findDrifts } = await import('../bench/drift.mjs');
  const place = await makePlace(name);
  const server = await startHookline(place, { isProbed: false, isMeasured: true });
  const clients = startClients();
  const api = await login(server.url, 'admin', password);
  const load = await prepareMixedLoad(api);
  try {
    await clients.ask('connect', { url: server.url, tokens: Array(connectionsThatHear).fill(api.token) });
    const perSecond = ((await load.maximum(maximumSeconds)) * options.share) / 100;
    console.log(
      `${place.database}: ${Math.round(perSecond)} requests a second for ${options.minutes} minutes`,
    );
    const readings = await read(server, load, perSecond);
    const settled = readings.filter(
      ({ minute }) => minute >= Math.min(settlesWithinMinutes, options.minutes / 3),
    );
    const drifts = findDrifts(settled.map(({ figures }) => figures));
    for (const { name: what, first, last } of drifts)
      console.log(`  ! ${what} has grown from ${first.toFixed(1)} to ${last.toFixed(1)}`);
    console.log(drifts.length > 0 ? 'FAIL' : 'PASS: everything stays as it was');
    if (drifts.length > 0) process.exitCode = 1;
  } finally {
    await Promise.all([clients.stop(), load.receivers.stop(), server.stop()]);
    await place.remove();
  }
}

async function read(server, load, perSecond) {
  const readings = [];
  const startedAt = performance.now();
  const minutes = () => (performance.now() - startedAt) / 60_000;
  await figuresOf(server); // the delay of the event loop is that since the last time
  while (minutes() < options.minutes) {
    const minute = minutes();
    const results = await load.run(perSecond, readingSeconds);
    const figures = await figuresOf(server);
    for (const [kind, { p50, p99, failed, statuses }] of Object.entries(results)) {
      if (failed > 0) throw new Failure(`${failed} requests failed (${kind}): ${JSON.stringify(statuses)}`);
      Object.assign(figures, { [`${kind} p50`]: p50, [`${kind} p99`]: p99 });
    }
    readings.push({ minute, figures });
    const shown = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`);
    console.log(`  ${minute.toFixed(1)} min: ${shown.join(', ')}`);
  }
  return readings;
}

async function figuresOf(server) {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const metric = (name) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]);
  const figures = {
    loopDelayMs: metric('nodejs_eventloop_lag_p99_seconds') * 1000,
    handles: metric('process_open_fds'),
    rssMiB: server.residentMiB().now,
    liveMiB: await server.liveMiB(),
  };
  for (const [name, value] of Object.entries(figures))
    if (!Number.isFinite(value)) throw new Failure(`The server does not report its ${name}.`);
  return figures;
}
