/** Apprise, the notification program: its services for Mattermost, Slack and Microsoft Teams, and JSON, forms and XML. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startFixedHosts } from './support/fixed-hosts.mjs';
import { findProgram } from './support/machine-clients.mjs';
import { buildHook, buildScene, postsIn, serverUrl, unique, unknownId } from './support/scene.mjs';

const program = findProgram('apprise');

describe('Apprise', () => {
  const { host } = new URL(serverUrl);
  let scene, other, folder, hosts, version, body;

  before(async () => {
    scene = await buildScene('apprise');
    const name = unique('other').replaceAll('-', '_');
    const channel = { team_id: scene.team.id, name, display_name: 'Other', type: 'O' };
    other = await scene.admin.createChannel(channel);
    folder = mkdtempSync(path.join(tmpdir(), 'hookline-apprise-'));
    hosts = await startFixedHosts(folder, serverUrl);
    version = /Apprise v([\d.]+)/.exec((await apprise('--version')).output)?.[1];
    assert.ok(version, 'Apprise is not installed.');
  });

  after(() => {
    hosts?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the program with its own home directory, and returns { code, output }. */
  async function apprise(...args) {
    const env = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', ...hosts.env };
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
    assert.deepEqual(hosts.calls.at(-1), {
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

  const teamsUrl = (hookId) =>
    `msteams://hookline/${'a'.repeat(8)}@${'b'.repeat(8)}/${'c'.repeat(32)}/${hookId}/?image=yes`;

  test('msteams:// through a stand-in for office.com: a card with a title', async () => {
    const { hook } = await buildHook(scene, { format: 'teams' });
    body = unique('body');
    await notify(teamsUrl(hook.id), '-n', 'warning', '-t', 'Backup @all', '-b', `${body} took **2** hours`);
    const { message } = await newest();
    assert.equal(message, `Backup @\u200ball\n\n${body} took **2** hours`);
    assert.equal(hosts.calls.at(-1).host, 'hookline.webhook.office.com');
  });

  test('msteams://: a message without a title, in Markdown and HTML', async () => {
    const { hook } = await buildHook(scene, { format: 'teams' });
    for (const [type, sent, shown] of [
      ['markdown', '- [a](https://example.com)\n- b', '- [a](https://example.com)\n- b'],
      ['html', '<p>one</p><p>two</p>', /one[\s\S]*two/],
      ['text', 'first\nsecond', 'first\nsecond'],
    ]) {
      await notify(teamsUrl(hook.id), '-i', type, '-b', sent);
      const { message } = await newest();
      if (typeof shown === 'string') assert.equal(message, shown);
      else assert.match(message, shown);
    }
  });

  test('json://, form:// and xml:// with a template', async () => {
    const template =
      '{{ body.type }}: {{ body.title | literal }} – {{ body.message | literal }}{% if body.attachments.size > 0 %}!{% endif %}';
    const { hook } = await buildHook(scene, { format: 'template', template });
    for (const service of ['json', 'form']) {
      body = unique('body');
      await notify(
        `${service}://${host}/hooks/${hook.id}`,
        '-n',
        'failure',
        '-t',
        'A *title*',
        '-b',
        `${body} & ü`,
      );
      assert.equal((await newest()).message, `failure: A \\*title\\* – ${body} & ü`);
    }
    const ofXml = {
      format: 'template',
      template: '{{ body | split: "<Message>" | last | split: "<" | first }}',
    };
    const { hook: xmlHook } = await buildHook(scene, ofXml);
    body = unique('body');
    await notify(`xml://${host}/hooks/${xmlHook.id}`, '-t', 'A title', '-b', body);
    assert.equal((await newest()).message, body);
  });
});
