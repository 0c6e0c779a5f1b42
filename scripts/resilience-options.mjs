/** Shared by `test:abuse`, `test:crash`, `test:faults` and `test:fuzz`: options, a MySQL-compatible server, and empty databases on it. */
import { createRequire } from 'node:module';
import { Failure } from './prepare.mjs';

const databases = ['sqlite', 'mysql'];

/** Reads `--name=value` arguments with defaults. Ends the process with a message if one is invalid. */
export function readOptions(defaults) {
  const options = { ...defaults };
  for (const argument of process.argv.slice(2)) {
    const [, name, value] = /^--(\w+)=(.+)$/.exec(argument) ?? [];
    if (name === undefined || !(name in defaults)) {
      refuse(
        `"${argument}" is unknown. The options: ${Object.keys(defaults)
          .map((known) => `--${known}=`)
          .join(', ')}.`,
      );
    }
    if (name === 'database' && value !== 'both' && !databases.includes(value))
      refuse('--database takes sqlite, mysql or both.');
    if (name === 'suite' && !['posts', 'deliveries', 'both'].includes(value))
      refuse('--suite takes posts, deliveries or both.');
    if (typeof defaults[name] === 'number' && !/^\d+$/.test(value)) refuse(`--${name} takes a whole number.`);
    options[name] = typeof defaults[name] === 'number' ? Number(value) : value;
  }
  return { ...options, databases: options.database === 'both' ? databases : [options.database] };
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

function refuse(sentence) {
  console.error(sentence);
  process.exit(2);
}
