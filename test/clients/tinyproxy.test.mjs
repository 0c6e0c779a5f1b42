/** tinyproxy: an egress proxy with a password, which the calls of outgoing webhooks go through. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { findFreePort } from '../support/server-process.mjs';
import { findProgram } from './support/machine-clients.mjs';
import { Program } from './support/program.mjs';
import { startRunningServer } from './support/running-server.mjs';
import { unique } from './support/scene.mjs';

const password = 'only-through-the-proxy';

describe('tinyproxy', { skip: !findProgram('tinyproxy') }, () => {
  let program, proxyPort, receiver, received;

  before(async () => {
    program = new Program(findProgram('tinyproxy'));
    proxyPort = await findFreePort();
    const lines = [`Port ${proxyPort}`, 'Listen 127.0.0.1', `BasicAuth hookline ${password}`];
    const file = program.write('tinyproxy.conf', [...lines, 'Timeout 60', 'LogLevel Connect', ''].join('\n'));
    await program.start(['-d', '-c', file], `http://127.0.0.1:${proxyPort}/`);
    received = [];
    receiver = createServer((request, response) => {
      received.push(request.headers);
      response.end();
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
  });
  after(async () => {
    receiver?.close();
    await program?.remove();
  });

  /** Starts a server with this password for the proxy, and returns the answer to a test call of a webhook. */
  async function testCall(proxyPassword) {
    const server = await startRunningServer({
      OUTGOING_PROXY: `http://hookline:${proxyPassword}@127.0.0.1:${proxyPort}`,
    });
    try {
      const api = `${server.url}/api/v4`;
      const credentials = { login_id: 'admin', password: server.adminPassword };
      const login = await fetch(`${api}/users/login`, { method: 'POST', body: JSON.stringify(credentials) });
      const headers = { authorization: `Bearer ${login.headers.get('token')}` };
      const call = async (place, body) => {
        const answer = await fetch(`${api}${place}`, { method: 'POST', headers, body: JSON.stringify(body) });
        assert.ok(answer.ok, await answer.clone().text());
        return answer.json();
      };
      const team = await call('/teams', { name: unique('proxy'), display_name: 'Proxy', type: 'O' });
      const url = `http://127.0.0.1:${receiver.address().port}/hook`;
      const fields = { display_name: 'Proxy', trigger_words: ['go'], callback_urls: [url] };
      const hook = await call('/hooks/outgoing', { team_id: team.id, ...fields });
      return (await call(`/hooks/outgoing/${hook.id}/test`, {})).response;
    } finally {
      await server.stop();
    }
  }

  test('connects calls to the receiver', async () => {
    const response = await testCall(password);
    assert.deepEqual([response.status_code, response.error], [200, '']);
    assert.equal(received.length, 1);
    assert.equal(received[0]['proxy-authorization'], undefined);
    const log = readFileSync(path.join(program.folder, 'log'), 'utf8');
    assert.match(log, new RegExp(`CONNECT 127\\.0\\.0\\.1:${receiver.address().port} `));
  });

  test('refuses another password, which the answer does not repeat', async () => {
    const response = await testCall('another-password');
    assert.equal(response.error, 'connect');
    assert.match(response.note, /OUTGOING_PROXY.*HTTP 40[17]/);
    assert.doesNotMatch(JSON.stringify(response), /another-password/);
    assert.equal(received.length, 1);
  });
});
