/** The signing libraries of Standard Webhooks and Svix, with a webhook that verifies their signatures. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { buildHook, buildScene, postsIn, unique } from './support/scene.mjs';

const newSecret = () => `whsec_${Buffer.from(unique('a secret of many bytes')).toString('base64')}`;

for (const [preset, Webhook, prefix] of [
  ['standard-webhooks', StandardWebhook, 'webhook'],
  ['svix', SvixWebhook, 'svix'],
])
  describe(`signatures of ${preset}`, () => {
    let scene, hook, url, secret;

    before(async () => {
      scene = await buildScene(preset);
      secret = newSecret();
      ({ hook, url } = await buildHook(scene, { verifier: { preset, secret } }));
    });

    const signed = (body, { key = secret, id = unique('msg'), at = new Date() } = {}) => ({
      [`${prefix}-id`]: id,
      [`${prefix}-timestamp`]: String(Math.floor(at.getTime() / 1_000)),
      [`${prefix}-signature`]: new Webhook(key).sign(id, at, body),
    });
    const send = (body, headers) =>
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

    test('a signed call posts', async () => {
      const text = unique('größe 🎉');
      const body = JSON.stringify({ text });
      assert.equal((await send(body, signed(body))).status, 200);
      assert.equal((await postsIn(scene.admin, scene.channel.id))[0].message, text);
    });

    test('another body, id, time or secret is refused', async () => {
      const body = '{"text":"refused"}';
      const headers = signed(body);
      for (const [sent, change] of [
        ['{"text":"another"}', {}],
        [body, { [`${prefix}-id`]: 'msg_other' }],
        [body, { [`${prefix}-timestamp`]: String(Math.floor(Date.now() / 1_000) - 1) }],
        [body, signed(body, { at: new Date(Date.now() - 600_000) })],
        [body, signed(body, { key: newSecret() })],
        [body, { [`${prefix}-signature`]: headers[`${prefix}-signature`].replace('v1,', 'v2,') }],
      ]) {
        const answer = await send(sent, { ...headers, ...change });
        assert.equal(answer.status, 401, JSON.stringify(change));
      }
    });

    test('during a rotation, both secrets are valid, also in one header', async () => {
      const next = newSecret();
      const change = { verifier: { preset, secret: next } };
      await scene.admin.doFetch(`${scene.admin.getBaseRoute()}/hooks/incoming/${hook.id}`, {
        method: 'PATCH',
        body: JSON.stringify(change),
      });
      const body = '{"text":"rotated"}';
      const id = unique('msg');
      const [old, new_, stranger] = [secret, next, newSecret()].map((key) => signed(body, { id, key }));
      const name = `${prefix}-signature`;
      for (const signature of [old[name], new_[name], `${stranger[name]} ${old[name]}`])
        assert.equal((await send(body, { ...old, [name]: signature })).status, 200);
      assert.equal((await send(body, stranger)).status, 401);
    });
  });
