/** The examples of docs/examples, and `hookline listen`: consumers that pull, and receivers that verify signatures. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root } from '../../scripts/prepare.mjs';
import { findFreePort } from '../support/server-process.mjs';
import { buildScene, eventually, postsIn, serverUrl, unique } from './support/scene.mjs';

const example = (name) => path.join(root, 'docs', 'examples', name);
const hookline = path.join(root, 'scripts', 'hookline.mjs');

describe('programs that receive deliveries', () => {
  let scene;
  const children = [];

  before(async () => {
    scene = await buildScene('pull');
  });
  after(() => children.forEach((child) => child.kill('SIGKILL')));

  const api = async (method, route, body) => {
    const headers = { Authorization: `Bearer ${scene.admin.getToken()}`, 'content-type': 'application/json' };
    const response = await fetch(`${serverUrl}/api/v4/hooks/outgoing${route}`, {
      ...{ method, headers, body: body && JSON.stringify(body) },
    });
    assert.ok(response.ok, await response.clone().text());
    return response.json();
  };
  const buildOutgoing = (fields) =>
    api('POST', '', {
      ...{ team_id: scene.team.id, channel_id: scene.channel.id, display_name: 'example' },
      ...{ trigger_words: [unique('!do')], content_type: 'application/json', ...fields },
    });
  /** Starts a program; `output()` is what it has printed. */
  const start = (file, args, env) => {
    const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    children.push(child);
    return { child, output: () => text };
  };
  const settled = ({ id }) =>
    eventually('the outcome', async () => {
      const { deliveries } = await api('GET', `/${id}/deliveries`);
      return deliveries.every(({ finish_at: at }) => at > 0) && deliveries;
    });
  /** Fires the webhook; the program must have accepted the delivery, and its reply must be posted. */
  const expectReply = async (hook) => {
    const before = (await postsIn(scene.admin, scene.channel.id)).filter(isReply).length;
    await scene.admin.createPost({ channel_id: scene.channel.id, message: hook.trigger_words[0] });
    await eventually('the reply', async () => {
      const posts = await postsIn(scene.admin, scene.channel.id);
      return posts.filter(isReply).length === before + 1;
    });
    for (const { status } of await settled(hook)) assert.equal(status, 'delivered');
  };
  const isReply = ({ message }) => message === 'Done, admin.';

  for (const [file, name] of [
    [process.execPath, 'pull.mjs'],
    ['python3', 'pull.py'],
  ])
    test(`${name} answers what it pulls`, async () => {
      const hook = await buildOutgoing({ callback_urls: [], delivery: 'pull' });
      const env = { HOOKLINE_URL: serverUrl, HOOKLINE_HOOK: hook.id, HOOKLINE_TOKEN: hook.token };
      const { child, output } = start(file, [example(name)], env);
      await expectReply(hook);
      await expectReply(hook);
      assert.match(output(), new RegExp(`admin wrote ${hook.trigger_words[0]}`));
      child.kill('SIGKILL');
    });

  for (const [file, name] of [
    [process.execPath, 'receive.mjs'],
    ['python3', 'receive.py'],
  ])
    test(`${name} accepts signed calls only`, async () => {
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}/`;
      const hook = await buildOutgoing({ callback_urls: [url] });
      const { child } = start(file, [example(name)], {
        ...{ HOOKLINE_SIGNING_SECRET: hook.signing_secret, PORT: String(port) },
      });
      const status = () =>
        fetch(url, { method: 'POST', body: '{}' }).then(
          (response) => response.status,
          () => 0,
        );
      await eventually('the receiver', async () => (await status()) === 401);
      await expectReply(hook);
      child.kill('SIGKILL');
    });

  test('hookline listen forwards deliveries with their signature, until it is interrupted', async () => {
    const port = await findFreePort();
    const forward = `http://127.0.0.1:${port}/`;
    const hook = await buildOutgoing({ callback_urls: [], delivery: 'pull' });
    const receiver = start(process.execPath, [example('receive.mjs')], {
      ...{ HOOKLINE_SIGNING_SECRET: hook.signing_secret, PORT: String(port) },
    });
    const args = ['listen', '--url', serverUrl, '--hook', hook.id, '--forward', forward];
    const { child, output } = start(process.execPath, [hookline, ...args], { HOOKLINE_TOKEN: hook.token });
    await expectReply(hook);
    await eventually('its line', () => /attempt 1: HTTP 200 in \d+ ms/.test(output()));
    receiver.child.kill('SIGKILL');
    await once(receiver.child, 'exit');
    await scene.admin.createPost({ channel_id: scene.channel.id, message: hook.trigger_words[0] });
    const [failed] = await settled(hook);
    assert.deepEqual([failed.status, failed.last_error, failed.attempts], ['failed', 'nacked', 5]);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0, output());
    assert.ok(!output().includes(hook.token));
  });

  test('hookline listen acks without a reply that the server refuses, and decodes the others', async () => {
    const hook = await buildOutgoing({ callback_urls: [], delivery: 'pull' });
    const replies = [
      ['application/json', JSON.stringify({ text: 'x'.repeat(700_000) })],
      ['application/json', '{"text":"\0"}'],
      ['application/json; charset=ISO-8859-1', Buffer.from('{"text":"café"}', 'latin1')],
      ['application/json; charset=unheard-of', '{"text":"lost"}'],
    ];
    const seen = [];
    const receiver = createServer((request, response) => {
      const [type, body] = replies[seen.length] ?? [];
      seen.push(request.headers['webhook-id']);
      request.resume().on('end', () => response.setHeader('content-type', type).end(body));
    });
    await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const forward = `http://127.0.0.1:${receiver.address().port}/`;
    const args = ['listen', '--url', serverUrl, '--hook', hook.id, '--forward', forward];
    const { child, output } = start(process.execPath, [hookline, ...args], { HOOKLINE_TOKEN: hook.token });
    for (let index = 0; index < replies.length; index++) {
      await scene.admin.createPost({ channel_id: scene.channel.id, message: hook.trigger_words[0] });
      await eventually('the call', () => seen.length === index + 1);
      for (const { status } of await settled(hook)) assert.equal(status, 'delivered');
    }
    assert.equal(new Set(seen).size, replies.length);
    const posts = await postsIn(scene.admin, scene.channel.id);
    assert.ok(posts.some(({ message }) => message === 'café'));
    const { attempt_list: attempts } = await api('GET', `/${hook.id}/deliveries/${seen[3]}`);
    assert.match(attempts[0].note, /unknown charset/);
    await eventually('its lines', () => /, without its reply\. The server responded with 413/.test(output()));
    assert.match(output(), /, without its reply\. The server responded with 400/);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0, output());
    receiver.close();
  });

  test('hookline listen says why the server refuses it', async () => {
    const hook = await buildOutgoing({ callback_urls: [], delivery: 'pull' });
    const args = ['listen', '--url', serverUrl, '--hook', hook.id, '--forward', 'http://127.0.0.1:9/'];
    const { child, output } = start(process.execPath, [hookline, ...args, '--token', 'wrong'], {});
    const [code] = await once(child, 'exit');
    assert.equal(code, 1);
    assert.match(output(), /The server responded with 401/);
  });
});
