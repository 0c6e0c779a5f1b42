/**
 * A MySQL-compatible server for tests and benchmarks: the one in TEST_MYSQL_URL, or else a temporary
 * instance of an installed MariaDB or MySQL, or else a container.
 *
 * Run directly, it prints its URL and runs until interrupted: node scripts/database-server.mjs
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import {
  aptInstall,
  atEndOfProcess,
  canInstall,
  execute,
  find,
  findFreePort,
  isRoot,
  reasonOf,
  runDirectly,
  TemporaryServer,
} from './temporary-server.mjs';

const user = 'hookline';
const image = 'mysql:8.4';
/** Not every version supports all of them. */
const SMALL = [
  '--innodb-buffer-pool-size=64M',
  '--loose-innodb-log-file-size=8M',
  '--loose-innodb-redo-log-capacity=16M',
];

/**
 * @typedef {object} DatabaseServer
 * @property {string} url an administrator's mysql:// URL without a database
 * @property {'mariadb' | 'mysql'} engine
 * @property {string} version
 * @property {string | undefined} socket
 * @property {() => Promise<void>} stop ends the server and deletes its data, as does the end of this process
 * @property {() => Promise<void>} kill ends the server at once; data and port stay for restart
 * @property {() => Promise<void>} restart starts it on the same data and port, and waits until it answers
 *
 * @typedef {object} DatabaseServerOptions
 * @property {0 | 1 | 2} [flushLogAtTrxCommit] 2 for tests (fast, the default), 1 for benchmarks (durable)
 * @property {boolean} [isPrivate] ignore TEST_MYSQL_URL
 * @property {boolean} [isSmall] little memory and a short redo log, which start fast (the default); what is measured takes the
 * engine's own sizes, because a short redo log makes it write pages all the time
 * @property {readonly string[]} [serverArguments] more arguments of mysqld
 * @property {(sentence: string) => void} [say]
 */

/**
 * @param {DatabaseServerOptions} [options]
 * @returns {Promise<DatabaseServer>}
 */
export async function startDatabaseServer(options = {}) {
  const settings = {
    flushLogAtTrxCommit: 2,
    isPrivate: false,
    isSmall: true,
    serverArguments: [],
    say: console.log,
    ...options,
  };
  const refusals = [];
  for (const provide of [givenServer, machineServer, packagedServer, containerServer]) {
    const server = await provide(settings, refusals);
    if (server) return server;
  }
  throw new Error(
    'No MySQL-compatible database server could be started: install mariadb-server or mysql-server ' +
      '(neither has to run), or start Docker, or set TEST_MYSQL_URL=mysql://user:password@host:port.' +
      refusals.map((refusal) => `\n- ${refusal}`).join(''),
  );
}

// --- the server that TEST_MYSQL_URL names -----------------------------------------------------

async function givenServer({ isPrivate, say }) {
  const given = process.env.TEST_MYSQL_URL;
  if (!given || isPrivate) return undefined;
  let url;
  try {
    url = new URL(given);
  } catch {
    throw new Error('TEST_MYSQL_URL must look like mysql://user:password@host:port.');
  }
  url.pathname = '';
  try {
    const version = await askVersion(url.href, 5_000);
    const refuse = async () => {
      throw new Error(
        'The server of TEST_MYSQL_URL belongs to someone else: it is not stopped or restarted.',
      );
    };
    return {
      url: url.href,
      engine: engineOf(version),
      version,
      socket: undefined,
      stop: async () => undefined,
      kill: refuse,
      restart: refuse,
    };
  } catch (error) {
    say(
      `The server of TEST_MYSQL_URL at ${url.host} does not answer (${reasonOf(error)}); starting a private one.`,
    );
    return undefined;
  }
}

// --- a temporary instance of an installed server ----------------------------------------------

async function machineServer(settings, refusals) {
  for (const binary of await findServerBinaries()) {
    const instance = new MachineInstance(binary, settings);
    try {
      await instance.initialize();
      return await instance.start();
    } catch (error) {
      await instance.stop();
      refusals.push(`${binary.file}: ${reasonOf(error)}`);
    }
  }
  return undefined;
}

async function packagedServer(settings, refusals) {
  if (!canInstall()) return undefined;
  settings.say('No MySQL-compatible server on this machine: installing MariaDB with apt-get.');
  try {
    // The core packages install no service that starts at boot. Older releases do not have them. The client makes
    // dumps.
    await aptInstall(['mariadb-client', 'mariadb-server-core'], ['mariadb-client', 'mariadb-server']);
  } catch (error) {
    refusals.push(`apt-get: ${reasonOf(error)}`);
    return undefined;
  }
  return machineServer(settings, refusals);
}

async function findServerBinaries() {
  const found = [];
  for (const name of ['mariadbd', 'mysqld']) {
    const file = find(name);
    if (!file || found.some((other) => realpathSync(other.file) === realpathSync(file))) continue;
    try {
      const { stdout } = await execute(file, ['--no-defaults', '--version']);
      found.push({ file, engine: engineOf(stdout) });
    } catch {
      // It does not run here, so treat it as missing.
    }
  }
  return found;
}

/** One data folder, one port, and the server process on them. */
class MachineInstance extends TemporaryServer {
  #data = path.join(this.folder, 'data');
  #initFile = path.join(this.folder, 'users.sql');
  #password = randomBytes(12).toString('hex');
  #asUser = isRoot ? ['--user=root'] : [];
  #binary;
  #settings;

  constructor(binary, settings) {
    super('hookline-db-');
    this.#binary = binary;
    this.#settings = settings;
    mkdirSync(path.join(this.folder, 'tmp'));
    const grantee = `'${user}'@'127.0.0.1'`;
    writeFileSync(
      this.#initFile,
      `CREATE USER IF NOT EXISTS ${grantee} IDENTIFIED BY '${this.#password}';\n` +
        `GRANT ALL ON *.* TO ${grantee} WITH GRANT OPTION;\n`,
      { mode: 0o600 },
    );
  }

  async initialize() {
    const { file, engine } = this.#binary;
    const place = [`--datadir=${this.#data}`, `--tmpdir=${path.join(this.folder, 'tmp')}`, ...this.#asUser];
    if (engine === 'mysql') {
      await execute(file, ['--no-defaults', '--initialize-insecure', ...place]);
      return;
    }
    const installer = find('mariadb-install-db') ?? find('mysql_install_db');
    if (!installer) throw new Error('mariadb-install-db is missing next to it.');
    await execute(installer, ['--no-defaults', '--skip-test-db', '--skip-name-resolve', ...place]);
  }

  async start() {
    await this.runOnFreePort();
    return {
      url: this.#url,
      engine: this.#binary.engine,
      version: await askVersion(this.#url, 5_000),
      socket: this.#socket,
      ...this.controls,
    };
  }

  get #url() {
    return `mysql://${user}:${this.#password}@127.0.0.1:${this.port}`;
  }

  /** Socket paths must stay under 104 bytes. */
  get #socket() {
    return path.join(this.folder, 's');
  }

  isPortTaken({ message }) {
    return /address already in use|Bind on TCP/i.test(message);
  }

  answer(timeoutMs) {
    return askVersion(this.#url, timeoutMs);
  }

  get command() {
    const { flushLogAtTrxCommit, isSmall, serverArguments } = this.#settings;
    return [
      this.#binary.file,
      '--no-defaults',
      ...this.#asUser,
      `--datadir=${this.#data}`,
      `--tmpdir=${path.join(this.folder, 'tmp')}`,
      `--socket=${this.#socket}`,
      `--pid-file=${path.join(this.folder, 'pid')}`,
      `--init-file=${this.#initFile}`,
      '--bind-address=127.0.0.1',
      `--port=${this.port}`,
      '--skip-name-resolve',
      '--character-set-server=utf8mb4',
      '--max-connections=300',
      '--performance-schema=OFF',
      `--innodb-flush-log-at-trx-commit=${flushLogAtTrxCommit}`,
      '--loose-mysqlx=OFF',
      ...(isSmall ? SMALL : []),
      ...(this.#binary.engine === 'mysql' ? ['--disable-log-bin'] : []),
      ...serverArguments,
    ];
  }
}

// --- a container ------------------------------------------------------------------------------

async function containerServer(settings, refusals) {
  const engine = await findContainerEngine();
  if (!engine) return undefined;
  const name = `hookline-db-${randomBytes(4).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  const port = await findFreePort();
  const url = `mysql://root:${password}@127.0.0.1:${port}`;
  const call = (...args) =>
    execute(engine, args, { timeout: 600_000, env: { ...process.env, MYSQL_ROOT_PASSWORD: password } });
  const remove = () => spawn(engine, ['rm', '-f', '-v', name], { stdio: 'ignore', detached: true }).unref();
  const forget = atEndOfProcess(remove);
  settings.say(
    `No MySQL-compatible server on this machine: starting a container of ${image} with ${path.basename(engine)}.`,
  );
  try {
    await call(
      ...[
        'run',
        '--detach',
        '--name',
        name,
        '--publish',
        `127.0.0.1:${port}:3306`,
        '--env',
        'MYSQL_ROOT_PASSWORD',
      ],
      ...[image, '--character-set-server=utf8mb4', '--skip-name-resolve', '--max-connections=300'],
      ...[`--innodb-flush-log-at-trx-commit=${settings.flushLogAtTrxCommit}`, '--disable-log-bin'],
      ...settings.serverArguments,
    );
    const version = await waitForAnswer(url, 180_000);
    return {
      url,
      engine: engineOf(version),
      version,
      socket: undefined,
      stop: async () => {
        await call('rm', '-f', '-v', name);
        forget();
      },
      kill: async () => {
        await call('kill', '--signal', 'KILL', name);
      },
      restart: async () => {
        await call('kill', '--signal', 'KILL', name).catch(() => undefined);
        await call('start', name);
        await waitForAnswer(url, 60_000);
      },
    };
  } catch (error) {
    await call('rm', '-f', '-v', name).catch(() => undefined);
    forget();
    refusals.push(`${path.basename(engine)}: ${reasonOf(error)}`);
    return undefined;
  }
}

async function findContainerEngine() {
  for (const file of [find('docker'), find('podman')]) {
    if (!file) continue;
    try {
      await execute(file, ['info'], { timeout: 15_000 });
      return file;
    } catch {
      // The command is installed, but its daemon does not answer.
    }
  }
  return undefined;
}

// --- helpers ----------------------------------------------------------------------------------

async function waitForAnswer(url, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await askVersion(url, 2_000);
    } catch (error) {
      if (Date.now() > deadline)
        throw new Error(`It does not answer (${reasonOf(error)}).`, { cause: error });
    }
    await sleep(200);
  }
}

async function askVersion(url, timeoutMs) {
  const { hostname, port, username, password } = new URL(url);
  const connection = await mysql.createConnection({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    connectTimeout: timeoutMs,
  });
  try {
    const [rows] = await connection.query('SELECT VERSION() AS version');
    return rows[0].version;
  } finally {
    connection.destroy();
  }
}

function engineOf(version) {
  return /mariadb/i.test(version) ? 'mariadb' : 'mysql';
}

runDirectly(import.meta.url, () => startDatabaseServer({ isPrivate: true }));
