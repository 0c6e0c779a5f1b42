import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { promisify } from 'node:util';

const slackHost = 'hooks.slack.com';

/**
 * Replaces Slack for clients with a fixed host: they use it as their HTTPS proxy. It serves only hooks.slack.com,
 * with its own certificate, and forwards /services/T…/B…/ID to /hooks/ID. Everything stays on the loopback address.
 * Returns { env, calls, close() }: the environment for the client, and the headers of received calls.
 */
export async function startSlackHost(folder, serverUrl) {
  const key = path.join(folder, 'slack.key');
  const certificate = path.join(folder, 'slack.crt');
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'],
    ...['-subj', `/CN=${slackHost}`, '-addext', `subjectAltName=DNS:${slackHost}`],
    ...['-keyout', key, '-out', certificate],
  ]);
  const calls = [];
  const slack = https.createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    (request, response) => {
      calls.push({ host: request.headers.host, path: request.url, agent: request.headers['user-agent'] });
      const id = /^\/services\/T\w+\/B\w+\/(\w+)$/.exec(request.url)?.[1];
      if (!id) return response.writeHead(404).end('no_service');
      const forwarded = http.request(`${serverUrl}/hooks/${id}`, {
        method: request.method,
        headers: { ...request.headers, host: new URL(serverUrl).host },
      });
      forwarded.on('error', () => response.destroy());
      forwarded.on('response', (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      request.pipe(forwarded);
    },
  );
  const proxy = http.createServer((_, response) => response.writeHead(403).end());
  proxy.on('connect', (request, socket) => {
    if (request.url !== `${slackHost}:443`) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    slack.emit('connection', socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    calls,
    env: {
      HTTPS_PROXY: `http://127.0.0.1:${proxy.address().port}`,
      REQUESTS_CA_BUNDLE: certificate,
    },
    close: () => {
      proxy.close();
      slack.closeAllConnections();
      proxy.closeAllConnections();
    },
  };
}
