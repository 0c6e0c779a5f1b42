/**
 * Measures the cost of one call to another server with different clients: `node bench/outbound.mjs [--seconds=3]`.
 * The receiver runs in a separate process; CPU is user + system time of the calling process. The last row is the server's
 * own client (built code) with address checks, deadline, reply limit and decompression.
 */
import { fork } from 'node:child_process';
import http from 'node:http';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import axios from 'axios';
import undici from 'undici';
import { prepare } from '../scripts/prepare.mjs';

if (process.argv[2] === 'receiver') serve();
else await main();

function serve() {
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"text":"ok"}');
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

async function main() {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '3' } } });
  await prepare();
  const receiver = fork(new URL(import.meta.url).pathname, ['receiver']);
  const port = await new Promise((resolve) => receiver.once('message', resolve));
  const call = {
    url: `http://127.0.0.1:${port}/hook?x=1`,
    body: JSON.stringify({ text: 'x'.repeat(400) }),
    headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'bench' },
  };
  const rows = [];
  try {
    const ways = await makeWays(call);
    for (const [name, send] of ways) {
      await run(send, 64, 0.5); // warm-up
      const many = await run(send, 64, Number(values.seconds));
      const one = await run(send, 1, Number(values.seconds));
      rows.push({
        client: name,
        'calls/s at 64': Math.round(many.rate),
        'µs CPU at 64': Math.round(many.cpu),
        'calls/s at 1': Math.round(one.rate),
        'µs CPU at 1': Math.round(one.cpu),
      });
    }
  } finally {
    receiver.kill();
  }
  console.log(
    `Node ${process.version}, loopback, ${call.body.length}-byte POST, ${values.seconds} s per cell`,
  );
  console.table(rows);
  process.exit(0);
}

async function run(send, concurrency, seconds) {
  const until = performance.now() + seconds * 1000;
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let calls = 0;
  const worker = async () => {
    while (performance.now() < until) {
      await send();
      calls++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const { user, system } = process.cpuUsage(cpu);
  return { rate: calls / ((performance.now() - startedAt) / 1000), cpu: (user + system) / calls };
}

async function makeWays({ url, body, headers }) {
  const agent = new undici.Agent({ connections: 64, headersTimeout: 0, bodyTimeout: 0 });
  const httpAgent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const bare = {
    proxy: false,
    maxRedirects: 0,
    transformRequest: [],
    transformResponse: [],
    validateStatus: null,
  };
  const stock = axios.create({ ...bare, httpAgent, decompress: false, responseType: 'arraybuffer' });
  const lean = axios.create({ ...bare, adapter: (config) => overHttp(httpAgent, config) });
  const streamed = axios.create({ ...bare, adapter: (config) => overUndici(agent, config) });
  const dispatched = axios.create({ ...bare, adapter: (config) => overDispatch(agent, config) });
  const limit = () => ({ signal: AbortSignal.timeout(30_000) });
  const call = (client) => () => client.request({ url, method: 'POST', data: body, headers, ...limit() });
  return [
    ['axios, its own adapter', call(stock)],
    ['axios, lean http.request adapter', call(lean)],
    ['axios, undici.request adapter', call(streamed)],
    ['axios, undici dispatch adapter', call(dispatched)],
    [
      'undici.request alone',
      async () => {
        const reply = await undici.request(url, { method: 'POST', body, headers, dispatcher: agent });
        return reply.body.text();
      },
    ],
    ['the server’s OutboundClient', await ownClient({ url, body, headers })],
  ];
}

function overHttp(agent, config) {
  return new Promise((resolve, reject) => {
    const { url, method, headers, data, signal } = config;
    const request = http.request(url, { method, headers: headers.toJSON(), agent, signal }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          data: Buffer.concat(chunks),
          status: response.statusCode,
          headers: response.headers,
          config,
        }),
      );
    });
    request.on('error', reject).end(data);
  });
}

async function overUndici(dispatcher, config) {
  const { url, method, headers, data, signal } = config;
  const reply = await undici.request(url, {
    dispatcher,
    method: method.toUpperCase(),
    headers,
    body: data,
    signal,
  });
  const chunks = [];
  for await (const chunk of reply.body) chunks.push(chunk);
  return { data: Buffer.concat(chunks), status: reply.statusCode, headers: reply.headers, config };
}

function overDispatch(dispatcher, config) {
  const { url, method, headers, data, signal } = config;
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks = [];
    let status;
    let replyHeaders;
    const options = { origin, path: pathname + search, method: method.toUpperCase(), headers, body: data };
    dispatcher.dispatch(options, {
      onRequestStart(controller) {
        signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
      },
      onResponseStart(_, statusCode, values) {
        status = statusCode;
        replyHeaders = values;
      },
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve({ data: Buffer.concat(chunks), status, headers: replyHeaders, config }),
      onResponseError: (_, error) => reject(error),
    });
  });
}

async function ownClient({ url, body, headers }) {
  const load = createRequire(import.meta.url);
  load('reflect-metadata');
  const { Global, Module } = load('@nestjs/common');
  const { NestFactory } = load('@nestjs/core');
  const { OutboundSettings } = load('../dist/src/delivery/outbound/outbound.settings.js');
  const { OutboundModule } = load('../dist/src/delivery/outbound/outbound.module.js');
  const { OutboundClient } = load('../dist/src/delivery/outbound/outbound-client.js');
  const settings = new OutboundSettings({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1' });
  class SettingsModule {}
  Global()(SettingsModule);
  Module({
    providers: [{ provide: OutboundSettings, useValue: settings }],
    exports: [OutboundSettings],
  })(SettingsModule);
  class BenchModule {}
  Module({ imports: [SettingsModule, OutboundModule] })(BenchModule);
  const app = await NestFactory.createApplicationContext(BenchModule, { logger: false });
  const client = app.get(OutboundClient);
  return () => client.send({ method: 'POST', url, headers, body, timeoutMs: 30_000 });
}
