/**
 * Tests the shipped build on the Node.js that runs this file: scripts/test-node.mjs runs it on each supported
 * version.
 */
import assert from 'node:assert/strict';
import { on, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { ApiClient } from '../support/api-client.mjs';
import { ServerProcess } from '../support/server-process.mjs';

const adminPassword = 'the same on every version';
const signal = AbortSignal.timeout(120_000);

describe(`the server on Node.js ${process.versions.node}`, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-node-'));
  let server;
  let admin;
  let channel;
  let socket;
  let receiver;

  before(async () => {
    server = await start();
    receiver = createServer().listen(0, '127.0.0.1');
    await once(receiver, 'listening', { signal });
  });
  after(() => {
    server?.signal('SIGKILL');
    socket?.terminate();
    receiver?.close();
    receiver?.closeAllConnections();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  function start() {
    const env = {
      DATA_DIR: path.join(folder, 'data'),
      ADMIN_PASSWORD: adminPassword,
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
    };
    // No .env file is in that folder.
    return ServerProcess.start(env, { cwd: folder, isBuilt: true });
  }

  /** Runs `action`, and returns the first matching post of the event stream. */
  async function streamed(action, isWanted) {
    const messages = on(socket, 'message', { signal });
    await action();
    for await (const [frame] of messages) {
      const { event, data } = JSON.parse(frame);
      const post = event === 'posted' ? JSON.parse(data.post) : undefined;
      if (post && isWanted(post)) return post;
    }
    return assert.fail('The stream ended.');
  }

  test('accepts the configured administrator', async () => {
    admin = await new ApiClient(server.url).login('admin', adminPassword);
    assert.ok(admin, 'The login is refused.');
    const team = await admin.call('GET', '/teams/name/main');
    channel = await admin.call('GET', `/teams/${team.id}/channels/name/town-square`);
  });

  test('streams a post of an incoming webhook', async () => {
    socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/v4/websocket`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    await once(socket, 'open', { signal });
    const [hook] = await admin.call('GET', '/hooks/incoming');
    const post = await streamed(
      () => admin.call('POST', `/hooks/${hook.id}`, { text: 'It is green.' }),
      ({ message }) => message === 'It is green.',
    );
    assert.equal(post.channel_id, channel.id);
    assert.equal(post.props.from_webhook, 'true');
  });

  test('calls an outgoing webhook and posts the reply', async () => {
    receiver.once('request', async (request, response) => {
      const { text: message } = JSON.parse(await text(request));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ text: `Heard: ${message}` }));
    });
    await admin.call('POST', '/hooks/outgoing', {
      team_id: channel.team_id,
      channel_id: channel.id,
      display_name: 'Deployer',
      trigger_words: ['deploy'],
      callback_urls: [`http://127.0.0.1:${receiver.address().port}/`],
      content_type: 'application/json',
    });
    const reply = await streamed(
      () => admin.call('POST', '/posts', { channel_id: channel.id, message: 'deploy it' }),
      ({ message }) => message.startsWith('Heard'),
    );
    assert.equal(reply.message, 'Heard: deploy it');
  });

  test('stops on SIGTERM and has all data after a restart', async () => {
    assert.equal(await server.stop(), 0);
    server = await start();
    admin = await new ApiClient(server.url).login('admin', adminPassword);
    const { posts } = await admin.call('GET', `/channels/${channel.id}/posts`);
    const messages = Object.values(posts).map(({ message }) => message);
    for (const message of ['It is green.', 'deploy it', 'Heard: deploy it'])
      assert.ok(messages.includes(message));
    assert.equal(await server.stop(), 0);
    assert.deepEqual(server.errors, []);
  });
});
