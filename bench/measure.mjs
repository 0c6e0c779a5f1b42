/** Measures a scenario: the server and the yardstick in turn, so that a slow phase of the machine affects both. */
import { isDeepStrictEqual } from 'node:util';
import { residentMiB } from './processes.mjs';

const WARM_UP = { connections: 16, seconds: 1 };

/**
 * One row of figures for each number of connections.
 *
 * @param {object} bench what is measured: `api`, `server`, and on a database of ours `yardstick`
 * @param {{ name: string, unit: string, connections: number[], prepare: (bench: object) => Promise<object> }} scenario
 */
export async function measure(bench, scenario) {
  const prepared = await scenario.prepare(bench);
  const rows = [];
  try {
    await prepared.server({ ...WARM_UP, seconds: Math.min(1, bench.seconds) });
    if (bench.yardstick) await prepared.yardstick({ ...WARM_UP, seconds: Math.min(1, bench.seconds) });
    for (const connections of scenario.connections) {
      const figures = await byTurns(bench, prepared, connections);
      rows.push({ database: bench.database, scenario: scenario.name, connections, ...figures });
    }
  } finally {
    await prepared.stop?.();
  }
  return rows;
}

async function byTurns({ server, yardstick, rounds, seconds }, prepared, connections) {
  const load = { connections, seconds: seconds / rounds };
  const own = [];
  const bare = [];
  for (let round = 0; round < rounds; round++) {
    own.push(await watched(server, () => prepared.server(load)));
    if (yardstick) bare.push(await watched(yardstick, () => prepared.yardstick(load)));
  }
  const figures = summary(own);
  if (!yardstick) return figures;
  const ideal = summary(bare);
  return { ...figures, share: figures.rate / ideal.rate, yardstick: ideal };
}

/** Runs a load and adds the resources that the process and its database used. `work` rejects wrong results. */
async function watched(process, work) {
  const before = await process.use?.();
  const result = await work();
  const after = await process.use?.();
  if (result.failed > 0)
    throw new Error(`${result.failed} requests failed: ${JSON.stringify(result.statuses)}`);
  const used = {};
  for (const name of Object.keys(after ?? {})) used[name] = after[name] - before[name];
  return { ...result, used, rssMiB: process.pid ? residentMiB(process.pid) : undefined };
}

/** Rates and times are those of the median round; resources are the mean of all rounds. */
function summary(rounds) {
  const { rate, p50, p95, p99, receiptP50, receiptP99 } = rounds.toSorted((a, b) => a.rate - b.rate)[
    rounds.length >> 1
  ];
  const done = rounds.reduce((sum, { ok }) => sum + ok, 0);
  const each = {};
  for (const name of Object.keys(rounds[0].used))
    each[name] = rounds.reduce((sum, { used }) => sum + used[name], 0) / Math.max(1, done);
  const rssMiB = rounds.at(-1).rssMiB;
  return { rate, p50, p95, p99, receiptP50, receiptP99, done, ...each, rssMiB };
}

/** The yardstick must respond like the server. */
export function requireSameAnswer(name, answer, ideal) {
  if (!isDeepStrictEqual(answer, ideal))
    throw new Error(
      `The yardstick answers ${name} otherwise: ${JSON.stringify(ideal).slice(0, 500)}\ninstead of ${JSON.stringify(answer).slice(0, 500)}`,
    );
}

/** The fields of a response, except those whose values are always new. */
export const fieldsOf = (answer) => Object.keys(answer).sort();
