/**
 * The process of the webhooks' receivers: one port for each way to answer badly. It sends their ports. On each port `/well`
 * answers at once; asked by any message, the process sends how often that was called.
 */
import { createServer } from 'node:http';

const json = { 'content-type': 'application/json' };
const WAYS = [
  () => undefined, // never answers
  (response) => response.writeHead(500).end(),
  (response) => response.writeHead(200, json).end(`{"text":"${'x'.repeat(290_000)}"}`),
  (response) => response.socket.destroy(),
  (response) => response.writeHead(200, json).end('{"text":"@all a reply"}'),
  (response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(' '), 200);
    response.on('close', () => clearInterval(timer));
  },
];

let calls = 0;
const ports = WAYS.map(async (answer) => {
  const server = createServer((request, response) => {
    request.on('error', () => undefined).resume();
    response.on('error', () => undefined);
    request.on('end', () => {
      if (request.url !== '/well') return answer(response);
      calls++;
      response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server.address().port;
});

process.send(await Promise.all(ports));
process.on('message', () => process.send(calls));
process.on('disconnect', () => process.exit());
