/** A proxy that serves another server below a path, which it removes, as in docs/deploy.md. */
import { createServer, request } from 'node:http';
import { findFreePort } from '../../support/server-process.mjs';

/** Returns { url, lead(to), close() }: `url` ends with the path, and has no target until `lead` is called. */
export async function startPrefixProxy(prefix) {
  const port = await findFreePort();
  let target;
  const forward = ({ url, method, headers }, onAnswer) => {
    const isBelow = url.startsWith(`${prefix}/`);
    if (isBelow) return request(target + url.slice(prefix.length), { method, headers }, onAnswer);
    return undefined;
  };
  const server = createServer((near, answer) => {
    const far = forward(near, (answered) => {
      answer.writeHead(answered.statusCode, answered.headers);
      answered.pipe(answer);
    });
    if (!far) return answer.writeHead(404).end();
    far.on('error', () => answer.destroy());
    return near.pipe(far);
  });
  server.on('upgrade', (near, socket, head) => {
    const far = forward(near);
    if (!far) return socket.destroy();
    far.on('upgrade', ({ rawHeaders }, farSocket, farHead) => {
      const lines = rawHeaders.flatMap((name, at) =>
        at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : [],
      );
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      socket.write(farHead);
      farSocket.write(head);
      farSocket.pipe(socket).pipe(farSocket);
      for (const one of [socket, farSocket])
        one.on('error', () => [socket, farSocket].map((end) => end.destroy()));
    });
    far.on('response', () => socket.destroy());
    far.on('error', () => socket.destroy());
    return far.end();
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    lead: (to) => (target = to),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
