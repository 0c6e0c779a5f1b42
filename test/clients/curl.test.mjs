/** curl, with the commands of Slack's and Mattermost's documentation. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { adminPassword, buildScene, postsIn, serverUrl, unique, unknownId } from './support/scene.mjs';

const json = ['-H', 'Content-Type: application/json'];
const asJson = (text, ...others) => [...json, ...others, '--data', JSON.stringify({ text })];
const payload = (text) => `payload=${JSON.stringify({ text })}`;

/** By what is special: the arguments for a text, and the text if it is special too. */
const WAYS = {
  JSON: { args: asJson },
  'JSON with a charset, from a client that accepts JSON': {
    args: (text) => [
      ...['-H', 'Content-Type: application/json; charset=utf-8', '-H', 'Accept: application/json'],
      ...['--data', JSON.stringify({ text })],
    ],
  },
  "Slack's form: --data-urlencode 'payload={...}'": {
    args: (text) => ['--data-urlencode', payload(text)],
    text: 'with + & = % and "quotes", ümläute 🎉',
  },
  "Mattermost's form: -d 'payload={...}', which curl does not encode": {
    args: (text) => ['-d', payload(text)],
  },
  'a form of parts: -F payload=': { args: (text) => ['-F', payload(text)] },
  'several lines of text': { args: asJson, text: 'first line\nsecond line\n\nthird' },
  'a compressed response and HTTP/1.0': { args: (text) => asJson(text, '--compressed', '--http1.0') },
  'a body in chunks': { args: (text) => asJson(text, '-H', 'Transfer-Encoding: chunked') },
  'a body that waits for 100-continue': { args: (text) => asJson(text, '-H', 'Expect: 100-continue') },
};

describe('curl', () => {
  let scene;

  before(async () => {
    scene = await buildScene('curl');
  });

  const run = async (...args) =>
    (await promisify(execFile)('curl', ['--silent', '--show-error', ...args])).stdout;

  /** Runs curl, and returns { status, type, body }. */
  async function curl(url, ...args) {
    const lines = (await run('--write-out', '\n%{http_code}\n%{content_type}', ...args, url)).split('\n');
    const [status, type] = lines.splice(-2);
    return { status: Number(status), type, body: lines.join('\n') };
  }

  for (const [name, { args, text: special = '' }] of Object.entries(WAYS))
    test(name, async () => {
      const text = `${unique('text')} ${special}`.trim();
      const answer = await curl(scene.hookUrl, '-X', 'POST', ...args(text));
      assert.deepEqual(answer, { status: 200, type: 'text/plain', body: 'ok' });
      assert.equal((await postsIn(scene.admin, scene.channel.id))[0].message, text);
    });

  test('an unknown hook, broken JSON and an empty text: 400 with an error as JSON', async () => {
    for (const [url, data] of [
      [`${serverUrl}/hooks/${unknownId}`, '{"text":"x"}'],
      [scene.hookUrl, '{"text":'],
      [scene.hookUrl, '{"text":""}'],
    ]) {
      const { status, type, body } = await curl(url, '-X', 'POST', ...json, '--data', data);
      assert.deepEqual([status, type, JSON.parse(body).status_code], [400, 'application/json', 400]);
    }
  });

  test('an API call with a token, as in the documentation', async () => {
    const url = `${serverUrl}/api/v4/hooks/incoming/${scene.hook.id}`;
    const answer = await curl(url, '-H', `Authorization: Bearer ${scene.admin.getToken()}`);
    assert.deepEqual([answer.status, answer.type], [200, 'application/json']);
    assert.equal(JSON.parse(answer.body).id, scene.hook.id);
  });

  test('login: the token is in a header', async () => {
    const login = JSON.stringify({ login_id: scene.me.username, password: adminPassword });
    const output = await run('--include', '-d', login, `${serverUrl}/api/v4/users/login`);
    assert.match(output, /^HTTP\/1\.1 200 /);
    assert.match(output, /^token: [a-z0-9]{26}\r$/im);
  });
});
