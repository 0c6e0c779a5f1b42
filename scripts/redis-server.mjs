/**
 * A Redis server for tests and benchmarks: the one in TEST_REDIS_URL, or else a temporary instance of an installed one.
 *
 * Run directly, it prints its URL and runs until interrupted: node scripts/redis-server.mjs
 */
import { createConnection } from 'node:net';
import { aptInstall, canInstall, find, reasonOf, runDirectly, TemporaryServer } from './temporary-server.mjs';

/**
 * @typedef {object} RedisServer
 * @property {string} url
 * @property {string} version
 * @property {() => Promise<void>} stop ends the server, as does the end of this process
 * @property {() => Promise<void>} kill ends the server at once; the port stays for restart
 * @property {() => Promise<void>} restart starts it on the same port, empty, and waits until it answers
 *
 * @typedef {object} RedisServerOptions
 * @property {boolean} [isPrivate] ignore TEST_REDIS_URL
 * @property {readonly string[]} [serverArguments] more arguments of redis-server
 * @property {(sentence: string) => void} [say]
 */

/**
 * @param {RedisServerOptions} [options]
 * @returns {Promise<RedisServer>}
 */
export async function startRedisServer(options = {}) {
  const settings = { isPrivate: false, serverArguments: [], say: console.log, ...options };
  const given = await givenServer(settings);
  if (given) return given;
  const file = await installed(settings);
  if (file === undefined)
    throw new Error(
      'There is no redis-server: install it (it need not run), or set TEST_REDIS_URL=redis://host:port.',
    );
  const server = new RedisInstance(file, settings.serverArguments);
  try {
    return await server.start();
  } catch (error) {
    await server.stop();
    throw new Error(`${file}: ${reasonOf(error)}`, { cause: error });
  }
}

async function givenServer({ isPrivate, say }) {
  const url = process.env.TEST_REDIS_URL;
  if (!url || isPrivate) return undefined;
  if (!URL.canParse(url)) throw new Error('TEST_REDIS_URL must look like redis://host:port.');
  try {
    const refuse = async () => {
      throw new Error(
        'The server of TEST_REDIS_URL belongs to someone else: it is not stopped or restarted.',
      );
    };
    const version = await askVersion(url, 5_000);
    return { url, version, stop: async () => undefined, kill: refuse, restart: refuse };
  } catch (error) {
    say(`The server of TEST_REDIS_URL does not answer (${reasonOf(error)}); starting a private one.`);
    return undefined;
  }
}

/** The program; installed first if it is missing and this is allowed. */
async function installed({ say }) {
  const program = () => find('redis-server') ?? find('valkey-server');
  if (program() !== undefined || !canInstall()) return program();
  say('No Redis on this machine: installing it with apt-get.');
  try {
    await aptInstall(['redis-server']);
  } catch (error) {
    throw new Error(`apt-get cannot install redis-server: ${reasonOf(error)}`, { cause: error });
  }
  return program();
}

/** A server that keeps everything in memory. */
class RedisInstance extends TemporaryServer {
  #file;
  #serverArguments;

  constructor(file, serverArguments) {
    super('hookline-redis-');
    this.#file = file;
    this.#serverArguments = serverArguments;
  }

  async start() {
    await this.runOnFreePort();
    return { url: this.#url, version: await askVersion(this.#url, 5_000), ...this.controls };
  }

  get #url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  isPortTaken({ message }) {
    return /address already in use/i.test(message);
  }

  answer(timeoutMs) {
    return askVersion(this.#url, timeoutMs);
  }

  get command() {
    const { port, folder } = this;
    return [
      this.#file,
      ...['--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder],
      ...['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'],
      ...this.#serverArguments,
    ];
  }
}

/** Speaks the Redis protocol itself, because the scripts have no client. */
function askVersion(url, timeoutMs) {
  const { hostname, port, username, password } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: hostname, port: Number(port || 6379) });
    const end = (settle, value) => {
      socket.destroy();
      settle(value);
    };
    let answer = '';
    socket.setTimeout(timeoutMs, () => end(reject, new Error('it does not answer in time')));
    socket.on('error', (error) => end(reject, error));
    socket.on('close', () => reject(new Error('it closed the connection')));
    socket.on('data', (bytes) => {
      answer += bytes;
      const version = /redis_version:(\S+)/.exec(answer)?.[1];
      if (version !== undefined) end(resolve, `Redis ${version}`);
      else if (/^-(?!ERR unknown)/m.test(answer)) end(reject, new Error(answer.trim()));
    });
    const words = [username || 'default', password].map(decodeURIComponent);
    if (password !== '') socket.write(`AUTH ${words.join(' ')}\r\n`);
    socket.write('INFO server\r\n');
  });
}

runDirectly(import.meta.url, () => startRedisServer({ isPrivate: true }));
