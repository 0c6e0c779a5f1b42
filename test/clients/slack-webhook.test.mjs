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
    assert.equal(post.message, text);
    assert.equal(post.type, '');
    assert.equal(post.user_id, scene.me.id);
    assert.equal(post.props.from_webhook, 'true');
    assert.equal(post.props.override_username, 'webhook');
    assert.equal(post.props.webhook_display_name, 'Hook of slack');
  });

  test("Slack's link and mention syntax", async () => {
    const { user } = await buildUser(scene.admin);
    const text = `<https://example.com/a?b=c|the report> for <@${user.id}> and <!here>\nnext line`;
    const post = await send({ text });
    assert.equal(
      post.message,
      `[the report](https://example.com/a?b=c) for @${user.username} and @here\nnext line`,
    );
  });

  test('username, icon_url and icon_emoji of a message', async () => {
    const post = await send({
      text: 'disguised',
      username: 'Deploy Bot',
      icon_url: 'https://example.com/bot.png',
    });
    assert.equal(post.props.override_username, 'Deploy Bot');
    assert.equal(post.props.override_icon_url, 'https://example.com/bot.png');
    const other = await send({ text: 'disguised', icon_emoji: ':rocket:' });
    assert.match(other.props.override_icon_emoji, /^:?rocket:?$/);
  });

  test('defaults of the SDK, overridden by a message', async () => {
    const sender = new IncomingWebhook(scene.hookUrl, { username: 'Default', icon_emoji: ':tada:' });
    assert.equal((await send('with defaults', sender)).props.override_username, 'Default');
    const post = await send({ text: 'without', username: 'Other' }, sender);
    assert.equal(post.props.override_username, 'Other');
  });

  test('attachments with fields', async () => {
    const post = await send({
      text: 'Build finished',
      attachments: [
        {
          fallback: 'Build 7 failed',
          color: '#ff0000',
          pretext: '<https://example.com/7|Build 7>',
          author_name: 'CI',
          title: 'failed',
          title_link: 'https://example.com/7',
          text: 'three tests failed',
          fields: [
            { title: 'Branch', value: 'main', short: true },
            { title: 'Commit', value: 'abc', short: false },
          ],
          footer: 'CI',
          ts: '1700000000',
        },
      ],
    });
    assert.equal(post.message, 'Build finished');
    assert.equal(post.type, 'slack_attachment');
    const [attachment] = post.props.attachments;
    assert.equal(attachment.fallback, 'Build 7 failed');
    assert.equal(attachment.color, '#ff0000');
    assert.equal(attachment.pretext, '[Build 7](https://example.com/7)');
    assert.equal(attachment.title_link, 'https://example.com/7');
    assert.equal(attachment.text, 'three tests failed');
    assert.deepEqual(attachment.fields, [
      { title: 'Branch', value: 'main', short: true },
      { title: 'Commit', value: 'abc', short: false },
    ]);
    assert.equal(String(attachment.ts), '1700000000');
  });

  test('attachments alone', async () => {
    const post = await send({ attachments: [{ text: 'only this' }] });
    assert.equal(post.message, '');
    assert.equal(post.props.attachments[0].text, 'only this');
  });

  test("Slack's other keys are ignored", async () => {
    const text = unique('text');
    const post = await send({
      text,
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'a block' } }],
      link_names: true,
      unfurl_links: false,
      mrkdwn: true,
      thread_ts: '1503435956.000247',
    });
    assert.equal(post.message, text);
    assert.equal(post.root_id, '');
  });

  test('channel overrides the channel', async () => {
    const square = await scene.admin.getChannelByName(scene.team.id, 'town-square');
    const text = unique('text');
    assert.equal((await webhook.send({ text, channel: '#town-square' })).text, 'ok');
    assert.equal((await postsIn(scene.admin, square.id))[0].message, text);
  });

  test('an unknown hook: the SDK throws an error with status and body', async () => {
    const error = await refusal(new IncomingWebhook(`${serverUrl}/hooks/${unknownId}`).send('x'));
    assert.ok(error instanceof IncomingWebhookHTTPError, String(error));
    assert.equal(error.statusCode, 400);
    assert.equal(JSON.parse(error.body).status_code, 400);
  });

  test('a message without text, and an unknown channel', async () => {
    assert.equal((await refusal(webhook.send({ text: '' }))).statusCode, 400);
    assert.equal((await refusal(webhook.send({ text: 'x', channel: '#nowhere' }))).statusCode, 404);
  });

  async function refusal(call) {
    return call.then(
      () => assert.fail('Should have been refused.'),
      (error) => error,
    );
  }
});
