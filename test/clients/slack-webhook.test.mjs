/** @slack/webhook, Slack's own SDK for incoming webhooks. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { IncomingWebhook, IncomingWebhookHTTPError } from '@slack/webhook';
import { buildScene, buildUser, postsIn, serverUrl, unique, unknownId } from './support/scene.mjs';

describe('@slack/webhook', () => {
  let scene;
  let webhook;

  before(async () => {
    scene = await buildScene('slack');
    webhook = new IncomingWebhook(scene.hookUrl);
  });

  /** Sends, checks Slack's response, and returns the resulting post. */
  async function send(message, sender = webhook) {
    assert.deepEqual(await sender.send(message), { text: 'ok' });
    return (await postsIn(scene.admin, scene.channel.id))[0];
  }

  test('a string becomes a post of the hook owner', async () => {
    const text = unique('text');
    const post = await send(text);
    assert.deepEqual([post.message, post.type, post.user_id], [text, '', scene.me.id]);
    assert.equal(post.props.from_webhook, 'true');
    assert.equal(post.props.override_username, 'webhook');
  });

  test("Slack's link and mention syntax", async () => {
    const { user } = await buildUser(scene.admin);
    const text = `<https://example.com/a?b=c|the report> for <@${user.id}> and <!here>\nnext line`;
    const said = `[the report](https://example.com/a?b=c) for @${user.username} and @here\nnext line`;
    assert.equal((await send({ text })).message, said);
  });

  test('username, icon_url and icon_emoji, of a message and as defaults of the SDK', async () => {
    const [name, picture] = ['Deploy Bot', 'https://example.com/bot.png'];
    const { props } = await send({ text: 'disguised', username: name, icon_url: picture });
    assert.deepEqual([props.override_username, props.override_icon_url], [name, picture]);
    const sender = new IncomingWebhook(scene.hookUrl, { username: 'Default', icon_emoji: ':tada:' });
    const post = await send('with defaults', sender);
    assert.equal(post.props.override_username, 'Default');
    assert.match(post.props.override_icon_emoji, /^:?tada:?$/);
    const other = await send({ text: 'without', username: 'Other' }, sender);
    assert.equal(other.props.override_username, 'Other');
  });

  test('attachments with fields', async () => {
    const sent = {
      ...{ fallback: 'Build 7 failed', color: '#ff0000', author_name: 'CI', title: 'failed' },
      ...{ title_link: 'https://example.com/7', text: 'three tests failed', footer: 'CI' },
      fields: [
        { title: 'Branch', value: 'main', short: true },
        { title: 'Commit', value: 'abc', short: false },
      ],
    };
    const others = { pretext: '<https://example.com/7|Build 7>', ts: '1700000000' };
    const post = await send({ text: 'Build finished', attachments: [{ ...sent, ...others }] });
    assert.deepEqual([post.message, post.type], ['Build finished', 'slack_attachment']);
    const [attachment] = post.props.attachments;
    for (const [name, value] of Object.entries(sent)) assert.deepEqual(attachment[name], value, name);
    assert.equal(attachment.pretext, '[Build 7](https://example.com/7)');
    assert.equal(String(attachment.ts), '1700000000');
    assert.equal((await send({ attachments: [{ text: 'only this' }] })).message, '');
  });

  test("Slack's other keys are ignored", async () => {
    const text = unique('text');
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'a block' } }];
    const flags = { link_names: true, unfurl_links: false, mrkdwn: true, thread_ts: '1503435956.000247' };
    const post = await send({ text, blocks, ...flags });
    assert.deepEqual([post.message, post.root_id], [text, '']);
  });

  test('thread_ts with an id of a post answers in its thread', async () => {
    const waiting = new IncomingWebhook(`${scene.hookUrl}?wait=true`);
    const {
      post_ids: [rootId],
    } = JSON.parse((await waiting.send(unique('root'))).text);
    const text = unique('reply');
    const reply = await send({ text, thread_ts: rootId });
    assert.deepEqual([reply.message, reply.root_id], [text, rootId]);
    const second = await send({ text, thread_ts: rootId, reply_broadcast: true });
    assert.equal(second.root_id, rootId);
    const error = await webhook.send({ text, thread_ts: unknownId }).catch((reason) => reason);
    assert.ok(error instanceof IncomingWebhookHTTPError, String(error));
    assert.equal(error.statusCode, 400);
  });

  test('key and on_key, which the SDK passes on, update one message', async () => {
    const key = unique('deploy');
    const started = await send({ text: 'Deploying', key });
    await webhook.send({ text: 'Deployed', key, on_key: 'update' });
    const post = await scene.admin.getPost(started.id);
    assert.equal(post.message, 'Deployed');
    await webhook.send({ text: 'Healthy', key, on_key: 'resolve' });
    assert.equal((await scene.admin.getPost(started.id)).message, ':white_check_mark: Healthy');
  });

  test('channel overrides the channel', async () => {
    const square = await scene.admin.getChannelByName(scene.team.id, 'town-square');
    const text = unique('text');
    assert.equal((await webhook.send({ text, channel: '#town-square' })).text, 'ok');
    assert.equal((await postsIn(scene.admin, square.id))[0].message, text);
  });

  test('an unknown hook, a message without text, an unknown channel: an error with status and body', async () => {
    for (const [sender, message, status] of [
      [new IncomingWebhook(`${serverUrl}/hooks/${unknownId}`), 'x', 400],
      [webhook, { text: '' }, 400],
      [webhook, { text: 'x', channel: '#nowhere' }, 404],
    ])
      await assert.rejects(sender.send(message), (error) => {
        assert.ok(error instanceof IncomingWebhookHTTPError, String(error));
        assert.deepEqual([error.statusCode, JSON.parse(error.body).status_code], [status, status]);
        return true;
      });
  });
});
