/** Reads and writes files of benchmark results. */
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';

/** The machine that the figures were measured on. */
export function machine() {
  const processors = os.cpus();
  return {
    processors: processors.length,
    model: processors[0]?.model.trim() ?? '',
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release().replace(/-.*/, '')}`,
    node: process.version,
    at: new Date().toISOString().slice(0, 10),
  };
}

export function writeResults(file, results) {
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}

export function readResults(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Identifies a row, to find the same measurement in another file. */
export const keyOf = ({ database, scenario, size, operation, what, connections, done }) =>
  [engineOf(database), scenario, size, operation ?? what, connections ?? done]
    .filter((part) => part !== undefined)
    .join(' ');

/** MariaDB and MySQL name themselves by version. */
export const engineOf = (database) =>
  /^\d/.test(database) ? (/mariadb/i.test(database) ? 'MariaDB' : 'MySQL') : database;
