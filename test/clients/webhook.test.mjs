/** webhook (adnanh/webhook): a program that runs commands on calls, checks their HMAC, and replies with the output. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findFreePort } from '../support/server-process.mjs';
import { findProgram } from './support/machine-clients.mjs';
import { Program } from './support/program.mjs';
import { buildScene, eventually, postsIn, serverUrl } from './support/scene.mjs';

describe('webhook (adnanh)', () => {
  let scene, program, port, hook;

  before(async () => {
    scene = await buildScene('adnanh');
    program = new Program(findProgram('webhook'));
    port = await findFreePort();
    hook = await scene.admin.createOutgoingWebhook({
      ...{ team_id: scene.team.id, channel_id: scene.channel.id, display_name: 'webhook' },
      ...{ trigger_words: ['!echo'], callback_urls: [`http://127.0.0.1:${port}/hooks/echo`] },
      content_type: 'application/json',
    });
    await startWith(hook.signing_secret);
  });
  after(() => program?.remove());

  /** Starts it again, with this secret. */
  async function startWith(secret) {
    await program.stop();
    const script = '#!/bin/sh\nprintf \'{"text":"echo of %s"}\' "$1"\n';
    const rules = ['X-Hookline-Signature-256', 'X-Hookline-Signature-256-Previous'].map((name) => ({
      match: { type: 'payload-hmac-sha256', secret, parameter: { source: 'header', name } },
    }));
    const echo = {
      id: 'echo',
      'execute-command': program.write('echo.sh', script, { mode: 0o755 }),
      'include-command-output-in-response': true,
      'pass-arguments-to-command': [{ source: 'payload', name: 'user_name' }],
      'trigger-rule': { or: rules },
      'trigger-signature-soft-failures': true, // or the first rule that does not match would end it
      'trigger-rule-mismatch-http-response-code': 403, // 200 by default
    };
    const hooks = program.write('hooks.json', JSON.stringify([echo]));
    const args = ['-hooks', hooks, '-ip', '127.0.0.1', '-port', String(port)];
    await program.start(args, `http://127.0.0.1:${port}/`);
  }

  const say = (message) => scene.admin.createPost({ channel_id: scene.channel.id, message });
  const echoes = async () => {
    const posts = await postsIn(scene.admin, scene.channel.id);
    return posts.filter(({ message }) => message === 'echo of admin');
  };
  const echoesAre = (count) => eventually('the reply', async () => (await echoes()).length === count);

  test('accepts a call with a valid HMAC, and its reply becomes a post', async () => {
    await say('!echo please');
    await echoesAre(1);
    assert.equal((await echoes())[0].props.from_webhook, 'true');
  });

  test('refuses a call that is signed with another secret', async () => {
    await startWith('another secret');
    await say('!echo again');
    const url = `${serverUrl}/api/v4/hooks/outgoing/${hook.id}/deliveries?status=failed`;
    const headers = { Authorization: `Bearer ${scene.admin.getToken()}` };
    const failed = await eventually('the failure', async () => {
      const { deliveries } = await (await fetch(url, { headers })).json();
      return deliveries[0];
    });
    assert.equal(failed.last_status_code, 403);
    assert.equal((await echoes()).length, 1);
  });

  test('accepts calls while secrets overlap', async () => {
    await startWith(hook.signing_secret);
    await scene.admin.regenOutgoingHookToken(hook.id);
    await say('!echo once more');
    await echoesAre(2);
  });
});
