/** A database for one measurement, and the server processes that use it. */
import { createConnection } from 'mysql2/promise';
import net from 'node:net';
import path from 'node:path';
import { ApiClient } from '../test/support/api-client.mjs';
import { ServerProcess } from '../test/support/server-process.mjs';
import { startDatabaseServer } from '../scripts/database-server.mjs';
import { root, startProcess, temporaryFolder } from './processes.mjs';

export const password = 'bench password 1';
const settings = {
  ADMIN_PASSWORD: password,
  LOG_LEVEL: 'warn',
  ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
  INCOMING_WEBHOOKS_PER_TEAM: '1000000',
  OUTGOING_WEBHOOKS_PER_TEAM: '1000000',
  CONNECTIONS_PER_ADDRESS: '1000000',
};
let databases = 0;

/** @param {'sqlite' | 'mysql'} database */
export async function makePlace(database) {
  const data = temporaryFolder();
  return database === 'sqlite' ? embedded(data) : mysqlPlace(data);
}

function embedded(data) {
  return {
    database: 'SQLite',
    folder: data.folder,
    env: { DATA_DIR: data.folder },
    yardstick: ['sqlite', path.join(data.folder, 'hookline.db')],
    /** Resources that a process has used so far. */
    counts: async ({ statements, commits }) => ({ statements, commits }),
    remove: data.remove,
  };
}

async function mysqlPlace(data) {
  const server = await startDatabaseServer({ flushLogAtTrxCommit: 1, isSmall: false });
  const connection = await createConnection({ uri: server.url });
  const name = `hookline_bench_${++databases}`;
  await connection.query(`DROP DATABASE IF EXISTS ${name}`);
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return {
    database: server.version,
    folder: data.folder,
    env: { DATA_DIR: data.folder, DATABASE_URL: url.href },
    yardstick: ['mysql', url.href],
    counts: () => serverCounts(connection),
    remove: async () => {
      connection.destroy();
      await server.stop();
      data.remove();
    },
  };
}

/** Commits are counted as redo log writes, so commits that share a write count as one. */
async function serverCounts(connection) {
  const [rows] = await connection.query(
    "SHOW GLOBAL STATUS WHERE Variable_name IN ('Questions', 'Innodb_log_writes') OR Variable_name LIKE 'Handler_read%'",
  );
  const counts = { statements: 0, commits: 0, rowsRead: 0 };
  for (const { Variable_name: name, Value: value } of rows) {
    if (name === 'Questions') counts.statements = Number(value);
    else if (name === 'Innodb_log_writes') counts.commits = Number(value);
    else counts.rowsRead += Number(value);
  }
  return counts;
}

/**
 * @param {{ isProbed?: boolean, isMeasured?: boolean, name?: string, env?: Record<string, string> }} [options]
 *   `isMeasured` as in ServerProcess; `name` distinguishes processes on the same database; `env` adds settings
 */
export function startHookline(
  place,
  { isProbed = true, isMeasured = false, name = 'server', env = {} } = {},
) {
  const probe = probeOf(place, name);
  return ServerProcess.start(
    { ...place.env, ...settings, ...env, ...(isProbed ? probe.env : {}) },
    { isBuilt: true, isMeasured },
  ).then((process) => Object.assign(process, { use: () => readUse(place, probe.file) }));
}

export async function startYardstick(place) {
  const probe = probeOf(place, 'yardstick');
  const bare = await startProcess(process.execPath, ['bench/yardstick/server.mjs', ...place.yardstick], {
    env: probe.env,
    ready: (output) => /http:\S+/.exec(output)?.[0],
  });
  return { ...bare, url: bare.value, use: () => readUse(place, probe.file) };
}

export async function login(url, loginId, secret) {
  const api = await new ApiClient(url).login(loginId, secret);
  if (!api) throw new Error(`${url} refuses the login of ${loginId}.`);
  return api;
}

function probeOf(place, name) {
  const file = path.join(place.folder, `${name}.probe`);
  const preload = path.join(root, 'bench', 'probe.cjs');
  const counting = place.yardstick[0] === 'sqlite' ? { BENCH_COUNTS_SQLITE: '1' } : {};
  return { file, env: { BENCH_PROBE: file, NODE_OPTIONS: `--require ${preload}`, ...counting } };
}

/** CPU time, statements and commits so far. */
async function readUse(place, file) {
  const own = JSON.parse(await readAll(net.connect(file)));
  return { cpuMicros: own.cpuMicros, ...(await place.counts(own)) };
}

async function readAll(socket) {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}
