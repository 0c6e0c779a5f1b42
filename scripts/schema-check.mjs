/**
 * `npm run schema:check`: runs the migrations on an empty SQLite file and an empty MySQL database and
 * fails if the entities then require further changes.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { Failure, exitBecauseOf, prepare, root } from './prepare.mjs';

const execute = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'hookline-schema-'));
let database;

try {
  await prepare();
  await check('SQLite', { DATABASE_URL: '' });
  database = await startDatabase();
  await check(database.version, { DATABASE_URL: await createDatabase(database.url) });
} catch (error) {
  exitBecauseOf(error);
} finally {
  await database?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function check(name, env) {
  await typeorm('migration:run', env);
  const answer = await typeorm('schema:log', env);
  if (!answer.includes('Your schema is up to date')) {
    throw new Failure(`On ${name}, entities and migrations differ:\n${answer}`);
  }
  console.log(`The migrations make the schema of the entities on ${name}.`);
}

async function typeorm(command, env) {
  const cli = path.join(root, 'node_modules', 'typeorm', 'cli.js');
  try {
    const { stdout } = await execute(
      process.execPath,
      [cli, command, '-d', path.join(root, 'dist', 'ormconfig.js')],
      {
        cwd: folder,
        env: { ...process.env, DATA_DIR: folder, ...env },
      },
    );
    return stripVTControlCharacters(stdout).trim();
  } catch (error) {
    throw new Failure(`typeorm ${command} failed.\n${error.stdout ?? ''}${error.stderr ?? error.message}`);
  }
}

async function startDatabase() {
  // Imported here because it needs the packages that `prepare` installs.
  const { startDatabaseServer } = await import('./database-server.mjs');
  return startDatabaseServer({ isPrivate: true }).catch((error) => {
    throw new Failure(error.message);
  });
}

async function createDatabase(url) {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection(url);
  await connection.query('CREATE DATABASE hookline_schema CHARACTER SET utf8mb4');
  await connection.end();
  return `${url}/hookline_schema`;
}
