/**
 * Many receivers of webhooks in one process, with one port each. `GET /stats` on the first port returns what arrived
 * and when, and resets the counters; `GET /peek` does not reset them. The last `hung` endpoints never respond, and
 * the `failing` before them respond with 500; neither count their calls. Paths below `/hung` are never answered or
 * counted either.
 */
import { createServer } from 'node:http';

const [endpoints = 1, hung = 0, failing = 0] = process.argv.slice(2).map(Number);
let received = freshCount();

function freshCount() {
  return { count: 0, ids: new Set(), ages: [], lastAt: 0 };
}

const ports = await Promise.all(Array.from({ length: endpoints }, (_, index) => listen(endpoints - index)));
console.log(JSON.stringify({ ports }));

/** `place` counts from the last one. */
function listen(place) {
  const server = createServer((request, response) => {
    if (request.url === '/peek') return stats(response);
    if (request.url === '/stats') {
      stats(response);
      received = freshCount();
      return;
    }
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (place <= hung || request.url.startsWith('/hung')) return;
      if (place <= hung + failing) {
        response.writeHead(500).end();
        return;
      }
      const now = performance.timeOrigin + performance.now();
      received.count++;
      received.ids.add(request.headers['webhook-id']);
      received.lastAt = now;
      const createdAt = /"timestamp":(\d+)/.exec(Buffer.concat(chunks).toString())?.[1];
      received.ages.push(now - Number(createdAt));
      response.end();
    });
  });
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
}

function stats(response) {
  const ages = received.ages.sort((a, b) => a - b);
  const at = (share) => ages[Math.min(ages.length - 1, Math.floor(ages.length * share))] ?? null;
  const { count, ids, lastAt } = received;
  response.end(
    JSON.stringify({ count, distinct: ids.size, lastAt, p50: at(0.5), p95: at(0.95), p99: at(0.99) }),
  );
}
