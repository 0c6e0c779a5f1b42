/** @mattermost/client, Client4: every method for outgoing hooks. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  assertRefused,
  buildChannel,
  buildScene,
  buildUser,
  statusOk,
  unique,
  unknownId,
} from './support/scene.mjs';

const forbidden = 'api.context.permissions.app_error';
const hookMissing = 'app.webhooks.get_outgoing.app_error';

describe('@mattermost/client: outgoing hooks', () => {
  let admin;
  let me;
  let team;
  let channel;

  before(async () => {
    ({ admin, me, team, channel } = await buildScene('outgoing'));
  });

  const buildHook = (change = {}, client = admin) =>
    client.createOutgoingWebhook({
      team_id: team.id,
      channel_id: channel.id,
      display_name: 'Hook',
      description: 'For tests',
      trigger_words: [unique('word')],
      trigger_when: 0,
      callback_urls: ['https://example.com/hook'],
      content_type: 'application/json',
      ...change,
    });

  test('createOutgoingWebhook: the record', async () => {
    const hook = await buildHook({ trigger_words: ['one', 'two'], username: 'robot' });
    assert.match(hook.id, /^[a-z0-9]{26}$/);
    assert.match(hook.token, /^[a-z0-9]{26}$/);
    assert.equal(hook.creator_id, me.id);
    assert.equal(hook.team_id, team.id);
    assert.equal(hook.channel_id, channel.id);
    assert.deepEqual(hook.trigger_words, ['one', 'two']);
    assert.deepEqual(hook.callback_urls, ['https://example.com/hook']);
    assert.equal(hook.username, 'robot');
    assert.equal(hook.delete_at, 0);
  });

  test('createOutgoingWebhook: refusals', async () => {
    await assertRefused(
      buildHook({ channel_id: '', trigger_words: [] }),
      400,
      'api.webhook.create_outgoing.triggers.app_error',
    );
    await assertRefused(
      buildHook({ callback_urls: ['nowhere.com/'] }),
      400,
      'model.outgoing_hook.is_valid.url.app_error',
    );
    const { client } = await buildUser(admin, 'stranger');
    await assertRefused(buildHook({}, client), 403, forbidden);
  });

  test('getOutgoingWebhooks: by team, by channel, by page', async () => {
    const elsewhere = await buildChannel(admin, team.id, 'elsewhere');
    const [here, there] = [await buildHook(), await buildHook({ channel_id: elsewhere.id })];
    const ids = (hooks) => hooks.map(({ id }) => id);
    const ofTeam = ids(await admin.getOutgoingWebhooks('', team.id, 0, 200));
    assert.ok(ofTeam.includes(here.id) && ofTeam.includes(there.id));
    assert.deepEqual(ids(await admin.getOutgoingWebhooks(elsewhere.id, '', 0, 200)), [there.id]);
    assert.equal((await admin.getOutgoingWebhooks('', team.id, 0, 1)).length, 1);
  });

  test('getOutgoingWebhook', async () => {
    const hook = await buildHook();
    assert.deepEqual(await admin.getOutgoingWebhook(hook.id), hook);
    await assertRefused(admin.getOutgoingWebhook(unknownId), 404, hookMissing);
  });

  test('updateOutgoingWebhook, sending the whole record as the web client does', async () => {
    const hook = await buildHook();
    const updated = await admin.updateOutgoingWebhook({ ...hook, display_name: 'Other', description: '' });
    assert.deepEqual(updated, {
      ...hook,
      display_name: 'Other',
      description: '',
      update_at: updated.update_at,
    });
    await assertRefused(
      admin.updateOutgoingWebhook({ ...hook, trigger_words: ['changed'] }),
      400,
      'api.context.invalid_body_param.app_error',
    );
  });

  test('regenOutgoingHookToken: the record with a new token', async () => {
    const hook = await buildHook();
    const renewed = await admin.regenOutgoingHookToken(hook.id);
    assert.equal(renewed.id, hook.id);
    assert.match(renewed.token, /^[a-z0-9]{26}$/);
    assert.notEqual(renewed.token, hook.token);
  });

  test('removeOutgoingWebhook', async () => {
    const hook = await buildHook();
    assert.deepEqual(await admin.removeOutgoingWebhook(hook.id), statusOk);
    await assertRefused(admin.getOutgoingWebhook(hook.id), 404, hookMissing);
  });
});
