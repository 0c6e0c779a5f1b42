/** Apprise, the notification program: its Mattermost service, and its Slack service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { findProgram } from './support/machine-clients.mjs';
import { buildScene, postsIn, serverUrl, unique, unknownId } from './support/scene.mjs';
import { startSlackHost } from './support/slack-host.mjs';

const program = findProgram('apprise');

describe('Apprise', () => {
  const { host } = new URL(serverUrl);
  let scene, other, folder, slackHost, version, body;

  before(async () => {
    scene = await buildScene('apprise');
    const name = unique('other').replaceAll('-', '_');
    const channel = { team_id: scene.team.id, name, display_name: 'Other', type: 'O' };
    other = await scene.admin.createChannel(channel);
    folder = mkdtempSync(path.join(tmpdir(), 'hookline-apprise-'));
    slackHost = await startSlackHost(folder, serverUrl);
    version = /Apprise v([\d.]+)/.exec((await apprise('--version')).output)?.[1];
    assert.ok(version, 'Apprise is not installed.');
  });

  after(() => {
    slackHost?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the program with its own home directory, and returns { code, output }. */
  async function apprise(...args) {
    const env = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', ...slackHost.env };
    return new Promise((resolve) => {
      execFile(program ?? 'apprise', ['-vv', ...args], { env, timeout: 60_000 }, (error, stdout, stderr) =>
        resolve({ code: error ? (error.code ?? error.signal) : 0, output: `${stdout}${stderr}` }),
      );
    });
  }

  async function notify(url, ...args) {
    const { code, output } = await apprise(...args, url);
    assert.equal(code, 0, output);
  }

  /**
   * Apprise 1.2.0, which Debian 12 has, compares the bytes of Slack's response with a text and therefore treats every
   * `ok` as a failure with status 200, even Slack's own. Other versions must report success.
   */
  async function notifySlack(url, ...args) {
    const { code, output } = await apprise(...args, url);
    if (version === '1.2.0') {
      assert.match(output, /Failed to send to Slack: error=200\./);
    } else {
      assert.equal(code, 0, output);
    }
  }

  const newest = async (channel = scene.channel) => (await postsIn(scene.admin, channel.id))[0];

  test('mmost://: a message with a title', async () => {
    body = unique('body');
    await notify(`mmost://${host}/${scene.hook.id}`, '-t', 'A title', '-b', `${body} äöü 🎉`);
    const post = await newest();
    assert.match(post.message, /^A title\r?\n/);
    assert.ok(post.message.endsWith(`${body} äöü 🎉`));
    assert.equal(post.props.override_username, 'Apprise');
  });

  test('mmost://: a name to post as, a channel, and an icon', async () => {
    body = unique('body');
    const query = `channel=${other.name}&image=yes`;
    await notify(`mmost://Backup@${host}/${scene.hook.id}?${query}`, '-n', 'warning', '-b', body);
    const { message, props } = await newest(other);
    assert.deepEqual([message, props.override_username], [body, 'Backup']);
    assert.match(props.override_icon_url, /^https:\/\/.*warning.*\.png$/);
  });

  test('mmost://: an unknown hook, and an unknown channel, are failures', async () => {
    for (const [place, error] of [
      [unknownId, /error=400/],
      [`${scene.hook.id}?channel=nowhere`, /error=404/],
    ]) {
      const { code, output } = await apprise('-b', 'x', `mmost://${host}/${place}`);
      assert.notEqual(code, 0);
      assert.match(output, error);
    }
  });

  test('slack:// through a stand-in for hooks.slack.com: an attachment with title and colour', async () => {
    body = unique('body');
    await notifySlack(
      `slack://Watchman@TSTAND0IN/BSTAND0IN/${scene.hook.id}?image=no&footer=no`,
      ...['-n', 'failure', '-t', 'Backup', '-b', body],
    );
    assert.deepEqual(slackHost.calls.at(-1), {
      host: 'hooks.slack.com',
      path: `/services/TSTAND0IN/BSTAND0IN/${scene.hook.id}`,
      agent: 'Apprise',
    });
    const post = await newest();
    assert.equal(post.type, 'slack_attachment');
    assert.equal(post.props.override_username, 'Watchman');
    const [attachment] = post.props.attachments;
    assert.equal(attachment.title, 'Backup');
    assert.equal(attachment.text, body);
    assert.match(attachment.color, /^#[0-9A-F]{6}$/i);
    assert.ok(Number(attachment.ts) > 1_700_000_000);
  });

  test('slack://: a separate channel', async () => {
    body = unique('body');
    await notifySlack(`slack://TSTAND0IN/BSTAND0IN/${scene.hook.id}/#${other.name}`, '-b', body);
    assert.equal((await newest(other)).props.attachments[0].text, body);
  });

  test('slack://: an unknown hook is a failure', async () => {
    const { code, output } = await apprise('-b', 'x', `slack://TSTAND0IN/BSTAND0IN/${unknownId}`);
    assert.notEqual(code, 0);
    assert.match(output, /error=400/);
  });
});
