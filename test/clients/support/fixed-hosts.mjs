import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { promisify } from 'node:util';

/** Where the paths of each host have the id of a webhook. */
const HOSTS = {
  'hooks.slack.com': /^\/services\/T\w+\/B\w+\/(\w+)$/,
  'hookline.webhook.office.com': /^\/webhookb2\/[^/]+\/IncomingWebhook\/\w+\/(\w+)$/,
};

/**
 * Replaces Slack and Microsoft Teams for clients with a fixed host: they use it as their HTTPS proxy. It serves only
 * the hosts above, with its own certificate, and forwards their paths to /hooks/ID. Everything stays on the loopback
 * address. Returns { env, calls, close() }: the environment for the client, and the headers of received calls.
 */
export async function startFixedHosts(folder, serverUrl) {
  const key = path.join(folder, 'hosts.key');
  const certificate = path.join(folder, 'hosts.crt');
  const names = Object.keys(HOSTS);
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'],
    ...['-subj', `/CN=${names[0]}`, '-addext', `subjectAltName=${names.map((name) => `DNS:${name}`)}`],
    ...['-keyout', key, '-out', certificate],
  ]);
  const calls = [];
  const server = https.createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    (request, response) => {
      const { host } = request.headers;
      calls.push({ host, path: request.url, agent: request.headers['user-agent'] });
      const id = HOSTS[host]?.exec(request.url)?.[1];
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
    if (!names.some((name) => request.url === `${name}:443`))
      return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    server.emit('connection', socket);
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
      server.closeAllConnections();
      proxy.closeAllConnections();
    },
  };
}
