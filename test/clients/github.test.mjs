/** GitHub: every example call that Octokit publishes, of github.com and of each Enterprise Server, signed by its library. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { findPackage } from './support/npm-clients.mjs';
import { buildHook, buildScene, textsOf } from './support/scene.mjs';

const SECRET = "It's a Secret to Everybody";
const PLACES = ['api.github.com', 'ghes-31', 'ghes-32', 'ghes-33', 'ghes-34', 'ghes-35'];
const isInstalled = findPackage('cloudevents') !== undefined;

describe("GitHub's example calls", { skip: !isInstalled }, () => {
  const posted = new Map();
  let scene, url, sign;

  before(async () => {
    scene = await buildScene('github');
    ({ sign } = findPackage('@octokit/webhooks-methods'));
    ({ url } = await buildHook(scene, { format: 'github', verifier: { preset: 'github', secret: SECRET } }));
  });

  async function send(event, body, secret = SECRET) {
    return fetch(`${url}?wait=true`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-hub-signature-256': await sign(secret, body),
      },
      body,
    });
  }

  for (const place of PLACES)
    test(`${place}: each is shown, or ignored with a reason`, async () => {
      const examples = findPackage(`@octokit/webhooks-examples/${place}/index.json`);
      const faults = [];
      for (const { name, examples: bodies } of examples)
        for (const [index, body] of bodies.entries()) {
          const answer = await send(name, JSON.stringify(body));
          const said = await answer.text();
          const { post_ids: ids = [], ignored } = answer.status === 200 ? JSON.parse(said) : {};
          if (ids.length > 0 ? ignored : !ignored) faults.push(`${name} ${index}: ${answer.status} ${said}`);
          for (const id of ids) posted.set(id, `${name} ${index}`);
        }
      assert.deepEqual(faults, []);
    });

  test('no text has a hole', async () => {
    assert.ok(posted.size > 200, `${posted.size} posts`);
    const holes = [];
    for (const [id, name] of posted) {
      const texts = textsOf(await scene.admin.getPost(id));
      assert.notEqual(texts.length, 0, name);
      for (const text of texts)
        if (/\b(?:undefined|null|NaN)\b|\[object | {2}|^\s|\s$|\[\]|\]\(\)/.test(text))
          holes.push({ name, text });
    }
    assert.deepEqual(holes, []);
  });

  test('events about one pull request share a thread', async () => {
    const examples = findPackage('@octokit/webhooks-examples/api.github.com/index.json');
    const of = (event, action) =>
      structuredClone(
        examples.find(({ name }) => name === event).examples.find((example) => example.action === action),
      );
    const opened = of('pull_request', 'opened');
    const closed = { ...opened, action: 'closed', pull_request: { ...opened.pull_request, merged: true } };
    const commented = of('pull_request_review_comment', 'created');
    for (const body of [opened, closed, commented]) {
      body.repository.full_name = 'octo/thread';
      body.pull_request.number = 77;
    }
    const ids = [];
    for (const [event, body] of [
      ['pull_request', opened],
      ['pull_request_review_comment', commented],
      ['pull_request', closed],
    ])
      ids.push(...(await (await send(event, JSON.stringify(body))).json()).post_ids);
    const [root, ...replies] = await Promise.all(ids.map((id) => scene.admin.getPost(id)));
    assert.deepEqual([root.root_id, ...replies.map((reply) => reply.root_id)], ['', root.id, root.id]);
    assert.match(replies.at(-1).message, / merged pull request /);
  });

  test('a call that another secret signed is refused', async () => {
    const answer = await send('ping', '{"zen":"Keep it logically awesome."}', 'another secret');
    assert.equal(answer.status, 401);
    assert.match((await answer.json()).message, /X-Hub-Signature-256/);
  });
});
