/** Prints the tables of docs/performance.md. */
import { engineOf, keyOf } from './results.mjs';
import { scenarios } from './run.mjs';
import { printScaled } from './scenarios/scaled.mjs';
import { few, markdown, ms, percent, whole } from './table.mjs';

/** Each prints its own table. */
const alone = { scaled: printScaled };

/** @param {{ machine: object, seconds: number, rows: object[] }[]} results later ones replace earlier ones */
export function printPage(results) {
  const rows = [...new Map(results.flatMap(({ rows }) => rows).map((row) => [keyOf(row), row])).values()];
  const { machine, seconds } = results.at(-1);
  const databases = [...new Set(rows.map(({ database }) => database))];
  console.log(
    `${machine.processors} cores (${machine.model}), ${machine.memoryGiB} GiB, ${machine.system}, Node.js ${machine.node}, ` +
      `${databases.join(', ')}; ${machine.at}, ${seconds} s per cell. Load, server, yardstick and database share the cores.\n`,
  );
  for (const scenario of scenarios) {
    const found = rows.filter((row) => row.scenario === scenario.name);
    if (found.length > 0) printScenario(scenario, found);
  }
  printProcess(rows.filter((row) => row.scenario === 'start' || row.scenario === 'memory'));
  for (const [name, print] of Object.entries(alone))
    for (const database of databases) {
      const found = rows.filter((row) => row.scenario === name && row.database === database);
      if (found.length > 0) print(found);
    }
}

function printScenario({ name, title, unit, ideal }, rows) {
  console.log(`### ${title}\n`);
  console.log(`\`npm run bench -- --scenario=${name}\`. Yardstick: ${ideal}.\n`);
  const cells = rows.map((row) => [
    engineOf(row.database),
    row.connections,
    whole(row.rate),
    whole(row.yardstick?.rate),
    `**${percent(row.share)}**`,
    `${ms(row.p50)} / ${ms(row.p99)}`,
    `${ms(row.yardstick?.p50)} / ${ms(row.yardstick?.p99)}`,
    `${whole(row.cpuMicros)} / ${whole(row.yardstick?.cpuMicros)}`,
    few(row.statements),
    few(row.commits),
  ]);
  const head = ['', 'connections', `${unit}/s`, 'yardstick', 'share', 'p50 / p99 ms', 'of the yardstick'];
  console.log(`${markdown([...head, 'CPU µs, ours / its', 'statements', 'commits'], cells)}\n`);
}

function printProcess(rows) {
  if (rows.length === 0) return;
  console.log('### Start and memory\n');
  console.log('`npm run bench -- --scenario=start,memory`\n');
  const cells = rows.map((row) => [
    engineOf(row.database),
    row.scenario === 'start'
      ? 'start to the first answer'
      : row.done === 0
        ? 'at rest'
        : `after ${row.done} posts`,
    row.scenario === 'start' ? `${whole(row.startMs)} / ${whole(row.cpuMs)}` : '',
    whole(row.rssMiB),
    few(row.heapMiB),
  ]);
  console.log(`${markdown(['', '', 'ms / ms of CPU', 'RSS MiB', 'heap MiB'], cells)}\n`);
}
