/** webhook (adnanh/webhook): a program that runs commands on calls, checks their HMAC, and replies with the output. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { findProgram } from './support/machine-clients.mjs';
import { findFreePort } from '../support/server-process.mjs';
import { buildScene, eventually, postsIn, serverUrl } from './support/scene.mjs';

const program = findProgram('webhook');
const isEcho = ({ message }) => message === 'echo of admin';

describe('webhook (adnanh)', () => {
  let scene;
  let folder;
  let port;
  let hook;
  let child;

  before(async () => {
    scene = await buildScene('adnanh');
    folder = mkdtempSync(path.join(tmpdir(), 'hookline-webhook-'));
    port = await findFreePort();
    hook = await scene.admin.createOutgoingWebhook({
      team_id: scene.team.id,
      channel_id: scene.channel.id,
      display_name: 'webhook',
      trigger_words: ['!echo'],
      callback_urls: [`http://127.0.0.1:${port}/hooks/echo`],
      content_type: 'application/json',
    });
    if (program) await start(hook.signing_secret);
  });

  after(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(secret) {
    writeFileSync(path.join(folder, 'echo.sh'), '#!/bin/sh\nprintf \'{"text":"echo of %s"}\' "$1"\n', {
      mode: 0o755,
    });
    writeFileSync(
      path.join(folder, 'hooks.json'),
      JSON.stringify([
        {
          id: 'echo',
          'execute-command': path.join(folder, 'echo.sh'),
          'include-command-output-in-response': true,
          'pass-arguments-to-command': [{ source: 'payload', name: 'user_name' }],
          'trigger-rule': {
            or: ['X-Hookline-Signature-256', 'X-Hookline-Signature-256-Previous'].map((name) => ({
              match: { type: 'payload-hmac-sha256', secret, parameter: { source: 'header', name } },
            })),
          },
          'trigger-signature-soft-failures': true, // or the first rule that does not match would end it
          'trigger-rule-mismatch-http-response-code': 403, // 200 by default
        },
      ]),
    );
    const log = openSync(path.join(folder, 'log'), 'a');
    child = spawn(
      program,
      ['-hooks', path.join(folder, 'hooks.json'), '-ip', '127.0.0.1', '-port', String(port)],
      {
        stdio: ['ignore', log, log],
      },
    );
    closeSync(log);
    await eventually('a running webhook program', async () => {
      assert.equal(child.exitCode, null, `webhook ended:\n${readFileSync(path.join(folder, 'log'))}`);
      return fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      );
    });
  }

  async function stop() {
    if (child?.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  const say = (message) => scene.admin.createPost({ channel_id: scene.channel.id, message });

  async function deliveries() {
    const answer = await fetch(`${serverUrl}/api/v4/hooks/outgoing/${hook.id}/deliveries`, {
      headers: { Authorization: `Bearer ${scene.admin.getToken()}` },
    });
    return (await answer.json()).deliveries;
  }

  test('the program is installed', () => {
    assert.ok(program, 'webhook is not installed.');
  });

  test('accepts a call with a valid HMAC, and its reply becomes a post', async () => {
    await say('!echo please');
    const post = await eventually('the reply', async () =>
      (await postsIn(scene.admin, scene.channel.id)).find(isEcho),
    );
    assert.equal(post.props.from_webhook, 'true');
  });

  test('refuses a call that is signed with another secret', async () => {
    await stop();
    await start('another secret');
    await say('!echo again');
    const failed = await eventually('the failure', async () =>
      (await deliveries()).find(({ status }) => status === 'failed'),
    );
    assert.equal(failed.last_status_code, 403);
    assert.equal((await postsIn(scene.admin, scene.channel.id)).filter(isEcho).length, 1);
  });

  test('accepts calls while secrets overlap', async () => {
    await stop();
    await start(hook.signing_secret);
    await scene.admin.regenOutgoingHookToken(hook.id);
    await say('!echo once more');
    await eventually('the second reply', async () => {
      const posts = await postsIn(scene.admin, scene.channel.id);
      return posts.filter(isEcho).length === 2;
    });
  });
});
