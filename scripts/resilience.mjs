/** Shared by `test:abuse`, `test:crash`, `test:faults`, `test:fuzz` and `test:soak`: options, empty databases, and reports. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { exitBecauseOf, Failure, prepare } from './prepare.mjs';

const databases = ['sqlite', 'mysql'];
const choices = { database: [...databases, 'both'], suite: ['posts', 'deliveries', 'both'] };

/** Reads `--name=value` arguments with defaults. Ends the process with a message if one is invalid. */
export function readOptions(defaults) {
  try {
    const known = Object.entries(defaults).map(([name, value]) => [
      name,
      { type: 'string', default: `${value}` },
    ]);
    const { values } = parseArgs({ options: Object.fromEntries(known) });
    for (const [name, value] of Object.entries(values)) {
      if (choices[name]?.includes(value) === false)
        throw new Failure(`--${name} takes ${choices[name].join(', ')}.`);
      if (typeof defaults[name] !== 'number') continue;
      if (!/^\d+$/.test(value)) throw new Failure(`--${name} takes a whole number.`);
      values[name] = Number(value);
    }
    return { ...values, databases: values.database === 'both' ? databases : [values.database] };
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
}

/** Calls `work` with an empty database of each kind. It adds to `counts`, which decides whether the run fails. */
export async function onEachDatabase(options, work) {
  const counts = { passed: 0, failed: 0 };
  let server;
  try {
    await prepare();
    for (const name of options.databases) {
      if (name === 'mysql') server = await startServer();
      const dataDir = mkdtempSync(path.join(tmpdir(), 'hookline-'));
      const databaseUrl = server && (await createDatabase(server.url));
      const env = { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
      try {
        await work({ env, dataDir, databaseUrl, database: server?.version ?? 'SQLite', counts });
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
    if (counts.failed > 0) process.exitCode = 1;
  } catch (error) {
    exitBecauseOf(error);
  } finally {
    await server?.stop();
  }
}

/** Starts a database server for this run alone. */
export async function startServer() {
  // Imported here because it needs the packages that `prepare` installs.
  const { startDatabaseServer } = await import('./database-server.mjs');
  return startDatabaseServer({ isPrivate: true, isSmall: false }).catch((error) => {
    throw new Failure(error.message);
  });
}

/** Creates an empty database on the server and returns its URL. */
export async function createDatabase(serverUrl) {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection(serverUrl);
  const name = `hookline_${Date.now().toString(36)}`;
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  await connection.end();
  return `${serverUrl}/${name}`;
}

/** Loads a TypeScript source, named by its path from here. */
export function loadTypescript(file) {
  const require = createRequire(import.meta.url);
  require('./typescript.cjs').install();
  return require(file);
}

/** Prints the figures of a report by words, and returns the faults in it. */
export function printReport(figures) {
  const faults = [];
  for (const [what, value] of Object.entries(flat(figures))) {
    console.log(`  ${what.padEnd(34)}${Array.isArray(value) ? value.length : Math.round(value)}`);
    if (Array.isArray(value)) faults.push(...value);
  }
  for (const fault of faults.slice(0, 30)) console.log(`  ! ${fault}`);
  return faults;
}

/** Figures by words: `slowestStartMs` of `posts` is `posts: slowest start ms`. */
function flat(figures, prefix = '') {
  return Object.assign(
    {},
    ...Object.entries(figures).map(([name, value]) => {
      const words = prefix + name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      return typeof value === 'number' || Array.isArray(value)
        ? { [words]: value }
        : flat(value, `${words}: `);
    }),
  );
}
