/** What the console pages show about webhooks, deliveries, settings and actions, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { open, openConsole } from './support/console.mjs';
import { eventually, serverUrl, unique } from './support/scene.mjs';

describe('the console pages show', () => {
  let console, scene;

  before(async () => {
    console = await openConsole('facts');
    scene = console.scene;
  });
  after(() => console?.close());

  const fact = (page, name) =>
    page.locator('dl.facts > dt').filter({ hasText: name }).locator('xpath=following-sibling::dd[1]');
  const outgoingHook = (fields) =>
    scene.admin.createOutgoingWebhook({
      team_id: scene.team.id,
      display_name: unique('outgoing'),
      trigger_words: [unique('word')],
      callback_urls: [console.receiver.url],
      ...fields,
    });

  test('the channel and the owner of an incoming webhook', async () => {
    const hook = await scene.admin.createIncomingWebhook({
      channel_id: scene.channel.id,
      display_name: unique('incoming'),
      description: 'Of the build server.',
      channel_locked: true,
    });
    await console.visit('incoming', async (page) => {
      await page.goto(`${serverUrl}/#/incoming/${hook.id}`);
      await page.locator('.page-head').getByText('active', { exact: true }).waitFor();
      await fact(page, 'Posts to').getByText('locked').waitFor();
      await fact(page, 'Owner').getByText('admin', { exact: true }).waitFor();
      await page.getByText('Of the build server.').waitFor();
      await fact(page, 'Posts to').getByRole('link', { name: scene.channel.display_name }).click();
      await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor();
      const chosen = page.getByRole('combobox', { name: 'Channel' });
      await eventually('the channel', async () => (await chosen.inputValue()) === scene.channel.id);
    });
  });

  test('the channel and the trigger of an outgoing webhook', async () => {
    const [one, everywhere] = [
      await outgoingHook({ channel_id: scene.channel.id, trigger_when: 1, description: 'It deploys.' }),
      await outgoingHook({}),
    ];
    await console.visit('outgoing', async (page) => {
      await page.goto(`${serverUrl}/#/outgoing/${one.id}`);
      await fact(page, 'Listens in').getByRole('link', { name: scene.channel.display_name }).waitFor();
      await fact(page, 'Fires on').getByText('at the beginning of a message').waitFor();
      await fact(page, 'Calls').getByText(`as ${one.content_type}`).waitFor();
      await page.getByText('It deploys.').waitFor();
      await page.goto(`${serverUrl}/#/outgoing/${everywhere.id}?tab=no-such-tab`);
      await fact(page, 'Listens in').getByText('all public channels').waitFor();
      await fact(page, 'Fires on').getByText('anywhere in a message').waitFor();
      await page.getByRole('tab', { name: 'Deliveries', selected: true }).waitFor();
      await page.getByRole('group', { name: 'Filters', exact: true }).waitFor();
    });
  });

  test('the webhook of a delivery, its response before its payload, and which calls are not steps', async () => {
    const hook = await outgoingHook({ channel_id: scene.channel.id });
    await scene.admin.createPost({ channel_id: scene.channel.id, message: hook.trigger_words[0] });
    await console.visit('delivery', async (page) => {
      await page.goto(`${serverUrl}/#/outgoing/${hook.id}`);
      await page.getByRole('list', { name: 'Deliveries' }).getByRole('button').first().click();
      const dialog = page.getByRole('dialog');
      for (const number of [1, 2, 3]) {
        await dialog.getByRole('heading', { name: `Attempt ${number}` }).waitFor();
        if (number < 3) await dialog.getByRole('button', { name: 'Send again' }).click();
      }
      const steps = dialog.getByRole('list', { name: 'Steps of the delivery' });
      await steps.getByText('Attempt 2 is below').waitFor();
      const titles = await dialog.getByRole('heading', { level: 2 }).allInnerTexts();
      assert.ok(titles.findIndex((one) => one.startsWith('Attempt 3')) < titles.indexOf('Payload'));
      await fact(dialog, 'Webhook').getByRole('link', { name: hook.display_name }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('heading', { level: 1, name: hook.display_name }).waitFor();
    });
  });

  test('only settings that are set, and descriptions of actions', async () => {
    const hook = await outgoingHook({ channel_id: scene.channel.id });
    const name = unique('invited');
    const invited = await fetch(`${serverUrl}/api/v4/remotecluster`, {
      method: 'POST',
      headers: { authorization: `Bearer ${scene.admin.getToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, display_name: name, default_team_id: scene.team.id }),
    });
    assert.equal(invited.status, 201);
    await console.visit('system', async (page) => {
      await open(page, 'System');
      await page.getByRole('tab', { name: 'Settings' }).click();
      const setting = (name) => page.getByText(name, { exact: true });
      await setting('INVITE_TTL').waitFor();
      await page.getByLabel('Only changed settings').check();
      await setting('INVITE_TTL').waitFor({ state: 'detached' });
      await setting('OUTGOING_SCHEDULE').waitFor();
      await page.getByRole('tab', { name: 'Audit log' }).click();
      const row = (text) => page.getByRole('row').filter({ hasText: text }).first();
      await row(hook.id).getByText('Added an outgoing webhook').click();
      await row(hook.id).getByText('create_outgoing_webhook').waitFor();
      await row(name).getByText('Invited a server').click();
      await row(name).getByText('create_at').locator('xpath=following-sibling::dd[1]/time').waitFor();
    });
  });

  test('an offer to create the first webhook on an empty list', async () => {
    const team = await scene.admin.createTeam({ name: unique('empty'), display_name: 'Empty', type: 'O' });
    await console.visit('empty', async (page) => {
      await page.getByRole('combobox', { name: 'Team' }).selectOption(team.id);
      for (const title of ['Incoming webhooks', 'Outgoing webhooks']) {
        await open(page, title);
        const add = page.getByRole('button', { name: 'Add a webhook' });
        await page.locator('.empty').getByRole('button', { name: 'Add a webhook' }).waitFor();
        assert.equal(await add.count(), 1);
        await add.click();
        await page.getByRole('dialog').getByLabel('Name').waitFor();
        await page.keyboard.press('Escape');
      }
    });
  });
});
