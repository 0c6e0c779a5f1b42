import { startHookline } from '../places.mjs';
import { cpuSeconds, residentMiB } from '../processes.mjs';

/** Starts on a database with its schema, until the first response: the median of several runs. */
export async function measureStart(place, { database, sizes }) {
  const runs = [];
  for (let run = 0; run < sizes.starts; run++) runs.push(await startOnce(place));
  const { startMs, cpuMs, rssMiB } = runs.toSorted((a, b) => a.cpuMs - b.cpuMs)[runs.length >> 1];
  return [{ database, scenario: 'start', startMs, cpuMs, rssMiB }];
}

async function startOnce(place) {
  const server = await startHookline(place, { isProbed: false });
  const { startMs } = server;
  await fetch(`${server.url}/health/live`);
  const cpuMs = cpuSeconds(server.pid) * 1000;
  await new Promise((resolve) => setTimeout(resolve, 4_000)); // memory that only the start needed is released after three
  const rssMiB = residentMiB(server.pid);
  await server.stop();
  return { startMs, cpuMs, rssMiB };
}
