/** curl, with the commands of Slack's and Mattermost's documentation. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { buildScene, postsIn, serverUrl, unique, unknownId } from './support/scene.mjs';

const execute = promisify(execFile);
const json = ['-H', 'Content-Type: application/json'];

describe('curl', () => {
  let scene;
  let text;

  before(async () => {
    scene = await buildScene('curl');
  });

  /** Runs curl, and returns { status, type, body }. */
  async function curl(url, ...args) {
    const format = '\n%{http_code}\n%{content_type}';
    const { stdout } = await execute('curl', [
      '--silent',
      '--show-error',
      '--write-out',
      format,
      ...args,
      url,
    ]);
    const lines = stdout.split('\n');
    const [status, type] = lines.splice(-2);
    return { status: Number(status), type, body: lines.join('\n') };
  }

  /** Posts through the hook, checks the response, and returns the post. */
  async function postWith(...args) {
    const answer = await curl(scene.hookUrl, '-X', 'POST', ...args);
    assert.deepEqual(answer, { status: 200, type: 'text/plain', body: 'ok' });
    return (await postsIn(scene.admin, scene.channel.id))[0];
  }

  test('the program is installed', async () => {
    assert.match((await execute('curl', ['--version'])).stdout, /^curl \d/);
  });

  test('JSON', async () => {
    text = unique('text');
    const post = await postWith(...json, '--data', JSON.stringify({ text }));
    assert.equal(post.message, text);
  });

  test('JSON with a charset, from a client that accepts JSON', async () => {
    text = unique('text');
    const post = await postWith(
      '-H',
      'Content-Type: application/json; charset=utf-8',
      '-H',
      'Accept: application/json',
      '--data',
      JSON.stringify({ text }),
    );
    assert.equal(post.message, text);
  });

  test("Slack's form: --data-urlencode 'payload={...}'", async () => {
    text = `${unique('text')} with + & = % and "quotes", ümläute 🎉`;
    const post = await postWith(
      '--data-urlencode',
      `payload=${JSON.stringify({ text, username: 'webhookbot' })}`,
    );
    assert.equal(post.message, text);
    assert.equal(post.props.override_username, 'webhookbot');
  });

  test("Mattermost's form: -d 'payload={...}', which curl does not encode", async () => {
    text = unique('text');
    const post = await postWith('-d', `payload=${JSON.stringify({ text })}`);
    assert.equal(post.message, text);
  });

  test('a form of parts: -F payload=', async () => {
    text = unique('text');
    const post = await postWith('-F', `payload=${JSON.stringify({ text })}`);
    assert.equal(post.message, text);
  });

  test('several lines of text', async () => {
    text = `first line\nsecond line\n\n${unique('third')}`;
    const post = await postWith(...json, '--data', JSON.stringify({ text }));
    assert.equal(post.message, text);
  });

  test('a compressed response and HTTP/1.0', async () => {
    text = unique('text');
    const post = await postWith('--compressed', '--http1.0', ...json, '--data', JSON.stringify({ text }));
    assert.equal(post.message, text);
  });

  test('a body in chunks, and one that waits for 100-continue', async () => {
    text = unique('text');
    const body = JSON.stringify({ text, props: { padding: 'x'.repeat(2000) } });
    const chunked = await postWith(...json, '-H', 'Transfer-Encoding: chunked', '--data', body);
    assert.equal(chunked.message, text);
    const expecting = await postWith(...json, '-H', 'Expect: 100-continue', '--data', body);
    assert.equal(expecting.message, text);
    assert.notEqual(expecting.id, chunked.id);
  });

  test('an unknown hook, broken JSON and an empty text: 400 with an error as JSON', async () => {
    const cases = [
      [`${serverUrl}/hooks/${unknownId}`, '{"text":"x"}'],
      [scene.hookUrl, '{"text":'],
      [scene.hookUrl, '{"text":""}'],
    ];
    for (const [url, data] of cases) {
      const answer = await curl(url, '-X', 'POST', ...json, '--data', data);
      assert.equal(answer.status, 400, answer.body);
      assert.equal(answer.type, 'application/json');
      assert.equal(JSON.parse(answer.body).status_code, 400);
    }
  });

  test('an API call with a token, as in the documentation', async () => {
    const answer = await curl(
      `${serverUrl}/api/v4/hooks/incoming/${scene.hook.id}`,
      '-H',
      `Authorization: Bearer ${scene.admin.getToken()}`,
    );
    assert.equal(answer.status, 200);
    assert.equal(answer.type, 'application/json');
    assert.equal(JSON.parse(answer.body).id, scene.hook.id);
  });

  test('login: the token is in a header', async () => {
    const { username } = scene.me;
    const { stdout } = await execute('curl', [
      '--silent',
      '--include',
      '-d',
      JSON.stringify({ login_id: username, password: process.env.HOOKLINE_ADMIN_PASSWORD }),
      `${serverUrl}/api/v4/users/login`,
    ]);
    assert.match(stdout, /^HTTP\/1\.1 200 /);
    assert.match(stdout, /^token: [a-z0-9]{26}\r$/im);
  });
});
