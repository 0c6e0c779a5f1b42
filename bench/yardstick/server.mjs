/**
 * The yardstick: the least that a Node.js server must do to return the same responses. It reads and writes the tables
 * of the server with the same durability, and has no accounts, permissions, checks, caches or retries.
 *
 *   node bench/yardstick/server.mjs sqlite <file>
 *   node bench/yardstick/server.mjs mysql <url with database>
 *
 * Prints its URL once it listens. work.mjs has the handlers of all paths.
 */
import http from 'node:http';
import { makeWork } from './work.mjs';

const [, , engine, target] = process.argv;
const { open } = await import(`./${engine}.mjs`);
const work = makeWork(await open(target));

http
  .createServer((request, response) => {
    const [path, query] = request.url.split('?');
    const handle = work[`${request.method} ${path}`];
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const body = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const { status = 200, type = 'application/json', text, after } = await handle(query, body);
      response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
      response.end(text);
      after?.();
    });
  })
  .listen(0, '127.0.0.1', function () {
    console.log(`http://127.0.0.1:${this.address().port}`);
  });
