/**
 * The process of the webhook receivers: one port for each way to respond badly. It sends its ports. On each port
 * `/well` responds at once; on any message the process sends the number of calls to it.
 */
import { createServer } from 'node:http';

const json = { 'content-type': 'application/json' };
const WAYS = [
  () => undefined, // never responds
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
