/** Sends generated requests to a running server and checks every response. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keeperEnv } from './accounts.mjs';
import { findFault } from './answer-faults.mjs';
import { hugeVariations, isTaken } from './huge.mjs';
import { RawConnection } from './raw-http.mjs';
import { RequestGenerator } from './requests.mjs';
import { Coverage } from './routes.mjs';
import { findFreePort, ServerProcess } from '../support/server-process.mjs';
import { encode } from './wire.mjs';
import { World } from './world.mjs';

const BATCH = 2_500;
const MAX_FAULTS = 20;
const SHOWN_BYTES = 1_500;
const MAX_LINE = 64 * 1024;
const GROWTH_LIMIT_MIB = 200;
const LIVE_GROWTH_LIMIT_MIB = 60;

/** The ids of 501 responses for features that this server does not have. */
const offFeatures = new Set([
  'api.roles.patch_roles.not_allowed_permission.error',
  'api.roles.patch_roles.license.error',
  'api.post.delete_post.not_enabled.app_error',
  'api.context.not_available.app_error',
]);

/**
 * Starts a server with `env`, sends `count` requests of `seed` over `connections`, and returns the report { count,
 * huge, seconds, statuses, coverage, faults, memory }. A fault contains the command to repeat the request. `peer` is
 * a ForeignPeer.
 */
export async function runFuzz({ env, count, seed, peer, connections = 24, say = () => undefined }) {
  const localSocket = path.join(env.DATA_DIR, 'local.sock');
  const server = await ServerProcess.start(
    { ...env, ...(await settings()), LOCAL_MODE_SOCKET: localSocket },
    { isMeasured: true },
  );
  let world;
  try {
    const { url } = server;
    world = await World.create({ url, localSocket, peer });
    const document = await (await fetch(`${url}/api/v4/openapi.json`)).json();
    const generator = new RequestGenerator({ document, seed, world });
    const run = new FuzzRun({ server, localSocket, world, generator, seed, connections });
    return await run.go(count, say);
  } finally {
    await server.kill();
    await world?.close();
  }
}

/** Servers on the loopback interface may be called; no name can be resolved; deliveries end soon. */
async function settings() {
  const port = await findFreePort();
  return {
    ...keeperEnv,
    PORT: String(port),
    SITE_URL: `http://127.0.0.1:${port}`,
    ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
    DNS_SERVERS: '127.0.0.1:9',
    OUTGOING_SCHEDULE: '0s,1s',
    LOG_LEVEL: 'warn',
  };
}

class FuzzRun {
  #server;
  #world;
  #generator;
  #seed;
  #connections;
  #faults = [];
  /** @type {Record<string, number>} */
  #statuses = {};
  #coverage;
  #folder;

  constructor({ server, localSocket, world, generator, seed, connections }) {
    this.#server = server;
    this.#world = world;
    this.#generator = generator;
    this.#coverage = new Coverage(generator.routes);
    this.#seed = seed;
    this.#connections = Array.from({ length: connections }, () => ({
      tcp: new RawConnection(server.url),
      local: new RawConnection(localSocket),
    }));
  }

  async go(count, say) {
    const startedAt = performance.now();
    const before = { resident: this.#server.residentMiB().now, live: await this.#server.liveMiB() };
    let sent = 0;
    while (sent < count && this.#faults.length < MAX_FAULTS && !this.#server.hasEnded) {
      const end = Math.min(count, sent + BATCH);
      await this.#batch(sent, end);
      sent = end;
      if (!this.#server.hasEnded) await this.#restore();
      say({
        sent,
        seconds: (performance.now() - startedAt) / 1000,
        faults: this.#faults.length,
        residentMiB: this.#residentMiB(),
      });
    }
    const huge = await this.#enlarge();
    const seconds = (performance.now() - startedAt) / 1000;
    for (const { tcp, local } of this.#connections) {
      tcp.close();
      local.close();
    }
    const memory = await this.#measure(before);
    this.#checkServer();
    return {
      count: sent,
      huge,
      seconds,
      statuses: this.#statuses,
      coverage: this.#coverage,
      faults: this.#faults,
      memory,
    };
  }

  async #batch(first, end) {
    let n = first;
    await Promise.all(
      this.#connections.map(async (connections) => {
        while (n < end && this.#faults.length < MAX_FAULTS) await this.#one(connections, n++);
      }),
    );
  }

  async #one({ tcp, local }, n) {
    const request = this.#generator.make(n);
    const connection = request.role === 'local' ? local : tcp;
    const parts = encode(request);
    if (request.framing === 'short') {
      await connection.sendAndLeave(parts).catch(() => undefined);
      return;
    }
    const { answer, error } = await this.#ask(connection, request, parts);
    if (!answer) return void this.#addFault(request, parts, error.message);
    // After a wrong length, the server would read the next request as the rest of this one.
    if (answer.status === 101 || request.framing === 'over-limit') connection.close();
    this.#statuses[answer.status] = (this.#statuses[answer.status] ?? 0) + 1;
    this.#coverage.count(request, answer.status);
    const fault = findFault(request, answer, offFeatures);
    if (fault) this.#addFault(request, parts, fault, answer);
    if (answer.status === 401 && request.hasCredentials)
      void this.#world.accounts.repair(request.role).catch(() => undefined);
  }

  /** Sends a huge value in every place of every documented route, and returns the number of requests. */
  async #enlarge() {
    const { document, routes } = this.#generator;
    const described = routes.filter(({ isDescribed, path }) => isDescribed && path !== '/api/v4/websocket');
    let count = 0;
    for (const route of described.sort((a, b) => Number(a.isEnding) - Number(b.isEnding))) {
      if (route.operation.requestBody) await this.#restore();
      const variations = () => [...hugeVariations(this.#generator.proper(count, route), route, document)];
      for (const at of variations().keys()) {
        if (this.#faults.length >= MAX_FAULTS || this.#server.hasEnded) return count;
        await this.#oneHuge(route, variations()[at]);
        count++;
      }
    }
    return count;
  }

  async #oneHuge({ label }, { place, request }) {
    const parts = encode(request);
    const { answer, error } = await this.#ask(this.#connections[0].tcp, request, parts);
    if (!answer) return void this.#addFault(request, parts, `${place} is huge: ${error.message}`);
    const mayPass = answer.status >= 400 || place.startsWith('query.') || isTaken(label, place);
    const fault =
      findFault(request, answer, offFeatures) ??
      (mayPass ? undefined : `It was accepted with status ${answer.status}.`);
    if (fault) this.#addFault(request, parts, `A huge ${place}: ${fault}`, answer);
    if (answer.status === 401) await this.#world.accounts.repairAll();
  }

  async #ask(connection, { method }, parts) {
    for (let attempt = 1; ; attempt++) {
      try {
        return { answer: await connection.send(parts, { method }) };
      } catch (error) {
        // The server may close an idle connection just as the next request is sent.
        const isUnread = /ended \((ECONNRESET|EPIPE|closed)\) with ""/.test(error.message);
        if (!isUnread || attempt === 2) return { error };
      }
    }
  }

  async #restore() {
    try {
      await this.#world.refresh();
    } catch (error) {
      this.#faults.push(`The keeper cannot repair what the requests broke: ${error.message}`);
    }
  }

  async #measure(before) {
    if (this.#server.hasEnded) return { before, after: before, peak: NaN };
    await this.#world.proveThatItWorks().catch((error) => this.#faults.push(error.message));
    const live = await this.#server.liveMiB();
    await sleep(200); // lets freed pages return to the system
    const { now: resident, peak } = this.#server.residentMiB();
    if (resident - before.resident > GROWTH_LIMIT_MIB)
      this.#faults.push(
        `Resident memory grew from ${Math.round(before.resident)} to ${Math.round(resident)} MiB.`,
      );
    if (live - before.live > LIVE_GROWTH_LIMIT_MIB)
      this.#faults.push(`Live memory grew from ${Math.round(before.live)} to ${Math.round(live)} MiB.`);
    return { before, after: { resident, live }, peak };
  }

  #checkServer() {
    if (this.#server.hasEnded)
      this.#faults.push(`The server has ended:\n${this.#server.logs.slice(-20).join('\n')}`);
    const longest = Math.max(0, ...this.#server.logs.map((line) => line.length));
    if (longest > MAX_LINE) this.#faults.push(`The server logged a line of ${longest} characters.`);
    for (const line of this.#server.errors.slice(0, 5))
      this.#faults.push(`The server logged an error: ${line.slice(0, SHOWN_BYTES)}`);
  }

  #residentMiB() {
    return this.#server.hasEnded ? NaN : this.#server.residentMiB().now;
  }

  #addFault(request, parts, what, answer) {
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
    this.#folder ??= mkdtempSync(path.join(tmpdir(), 'hookline-fuzz-'));
    const file = path.join(this.#folder, `${request.n}.http`);
    writeFileSync(file, bytes);
    const requestId = answer?.headers['x-request-id'];
    const logged = requestId ? this.#server.logs.filter((line) => line.includes(requestId)).join('\n  ') : '';
    this.#faults.push(
      `${what}\n  request ${request.n} of FUZZ_SEED=${this.#seed}: ${request.route} as ${request.role}; to repeat: nc 127.0.0.1 PORT < ${file}` +
        `\n  ${shown(bytes)}${answer ? `\n  answer ${answer.status} ${shown(answer.body)}` : ''}${logged ? `\n  ${logged.slice(0, SHOWN_BYTES)}` : ''}`,
    );
  }
}

function shown(bytes) {
  const text = JSON.stringify(bytes.subarray(0, SHOWN_BYTES).toString('latin1'));
  const visible = text.replace(/((?:Bearer|BEARER|bearer|Token) |MMAUTHTOKEN=)[a-z0-9]{26}/g, '$1…');
  return bytes.length > SHOWN_BYTES ? `${visible} … ${bytes.length} bytes` : visible;
}
