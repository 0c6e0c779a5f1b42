/** The pages of webhooks and deliveries in the console, in Chromium, as users use them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { open, openConsole } from './support/console.mjs';
import { buildUser, eventually, postsIn, serverUrl, unique } from './support/scene.mjs';

describe('the webhook pages of the console', () => {
  let console;
  let scene;
  let visit;

  before(async () => {
    console = await openConsole('webhooks');
    ({ scene, visit } = console);
  });
  after(() => console?.close());

  test('shows a message posted by the command of the first step', () =>
    visit('home', async (page) => {
      const steps = page.getByRole('region', { name: 'First steps' });
      await steps.getByText(/^(First steps|Show the first steps again)$/).waitFor();
      const again = steps.getByText('Show the first steps again');
      if (await again.isVisible()) await again.click();
      const command = page.getByLabel('the first command', { exact: true });
      assert.match(await command.innerText(), /hooks\/•+$/);
      await page.getByRole('button', { name: 'Copy the first command' }).click();
      const url = (await page.evaluate(() => navigator.clipboard.readText())).match(/http\S+$/)[0];
      const text = unique('appears');
      await page.getByRole('list', { name: 'Messages' }).waitFor();
      await fetch(url, { method: 'POST', body: JSON.stringify({ text }) });
      await page.getByText(text).waitFor();
    }));

  test('creates an incoming webhook, sends a test through it, and deletes it', async () => {
    const { user } = await buildUser(scene.admin, 'owner');
    await scene.admin.addToTeam(scene.team.id, user.id);
    await visit('incoming', async (page) => {
      const name = unique('made');
      await open(page, 'Incoming webhooks');
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      await page.getByLabel('Name').fill(name);
      await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: 'Town Square' });
      const owner = page.getByLabel('Owner');
      await owner.fill(unique('nobody'));
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.locator('.field').filter({ has: owner }).getByRole('alert').waitFor();
      await owner.fill(user.username);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const factOf = (title) => page.locator(`dt:text-is("${title}") + dd`);
      await factOf('Owner').getByText(user.username).waitFor();
      await factOf('Last used').getByText('never').waitFor();

      // Every sample is a message, and edits survive looking at other samples.
      const samples = page.getByRole('combobox', { name: 'Sample' });
      for (const sample of await samples.getByRole('option').allInnerTexts()) {
        await samples.selectOption(sample);
        const edited = (await page.getByLabel('Payload').inputValue()).replace(/^\{/, '{ ');
        await page.getByLabel('Payload').fill(edited);
        await page.locator('.preview .post').first().waitFor();
        assert.equal(await page.locator('.preview .fault').count(), 0, sample);
      }
      await page.getByRole('tab', { name: 'Calls' }).click();
      await page.getByText('No calls are kept.').waitFor();
      await page.getByRole('tab', { name: 'Send a test' }).click();
      assert.match(await samples.inputValue(), /Alertmanager/);
      assert.match(await page.getByLabel('Payload').inputValue(), /^\{ /);
      await page.getByRole('button', { name: 'Undo the changes' }).click();
      assert.match(await page.getByLabel('Payload').inputValue(), /^\{\n/);

      await page.getByLabel('Payload').fill('{"text":"  ');
      const preview = page.locator('.preview');
      await preview.getByText(/^Invalid webhook payload/).waitFor();
      await preview.getByText(/^Request/).waitFor();
      const text = unique('tested');
      const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: `*${text}*` } }];
      await page.getByLabel('Payload').fill(JSON.stringify({ blocks }));
      await page.locator('.preview').getByText(text).waitFor();
      await page.getByLabel('Payload').fill(JSON.stringify({ text }));
      await page.getByRole('button', { name: 'Post it' }).click();
      await page.getByText('Sent. The message is in the channel.').waitFor();
      await factOf('Last used').getByRole('time').waitFor();
      const [channel] = (await scene.admin.getMyChannels(scene.team.id)).filter(
        (one) => one.name === 'town-square',
      );
      assert.ok((await postsIn(scene.admin, channel.id)).some(({ message }) => message === text));
      await page.getByLabel('Payload').fill('{"text":""}');
      await page.getByRole('button', { name: 'Post it' }).click();
      const payload = page.locator('.field').filter({ has: page.getByLabel('Payload') });
      await payload
        .getByRole('alert')
        .getByText(/^Request/)
        .waitFor();
      await page.getByRole('tab', { name: 'Calls' }).click();
      await page.getByRole('row').filter({ hasText: '400' }).getByRole('button').first().click();
      await page.getByRole('link', { name: 'Edit and send' }).click();
      assert.equal(await page.getByLabel('Payload').inputValue(), '{"text":""}');
      const fixed = unique('fixed');
      await page.getByLabel('Payload').fill(JSON.stringify({ text: fixed }));
      await page.getByRole('button', { name: 'Post it' }).click();
      await page.getByText('Sent. The message is in the channel.').waitFor();
      assert.ok((await postsIn(scene.admin, channel.id)).some(({ message }) => message === fixed));
      await open(page, 'Incoming webhooks');
      const row = page.getByRole('row').filter({ hasText: name });
      await row.getByRole('link', { name: 'refused' }).waitFor();
      await row.getByRole('button', { name: `Copy the URL of ${name}` }).click();
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /\/hooks\/[a-z0-9]{26}$/);
      await row.getByRole('link', { name }).click();
      await page.getByRole('tab', { name: 'Calls (1 refused)', selected: true }).waitFor();
      const record = page.url();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { level: 1, name: 'Incoming webhooks' }).waitFor();
      assert.equal(await page.getByText(name).count(), 0);
      await page.goto(record);
      await page.getByRole('heading', { name: 'This webhook is gone' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
      await page.getByRole('main').getByRole('link', { name: 'Incoming webhooks' }).click();
      await page.getByRole('heading', { level: 1, name: 'Incoming webhooks' }).waitFor();
    });
  });

  test('explains why a locked webhook refuses, with the terms of the console, and opens the call by its row', async () => {
    const hook = await scene.admin.createIncomingWebhook({
      ...{ channel_id: scene.channel.id, display_name: unique('locked'), channel_locked: true },
    });
    const body = JSON.stringify({ text: 'Elsewhere.', channel: 'town-square' });
    assert.equal((await fetch(`${serverUrl}/hooks/${hook.id}`, { method: 'POST', body })).status, 403);
    await visit('locked', async (page) => {
      const concern = page.getByRole('listitem').filter({ hasText: hook.display_name });
      await concern.getByText('unlock the webhook under “Edit”').waitFor();
      await concern.getByRole('link', { name: hook.display_name }).click();
      await page.locator('.page-head').getByText('refuses calls').waitFor();
      const why = page.getByRole('cell', { name: 'unlock the webhook under “Edit”' });
      const { x, y, width, height } = await why.boundingBox();
      await page.mouse.click(x + width / 2, y + height / 2);
      await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).waitFor();
    });
  });

  test('creates an outgoing webhook, fires it by a message, and shows the delivery', () =>
    visit('outgoing', async (page) => {
      const name = unique('calls');
      const word = unique('deploy');
      await open(page, 'Outgoing webhooks');
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      await page.getByLabel('Name').fill(name);
      await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: 'Town Square' });
      await page.getByLabel('Trigger words, one per line').fill(word);
      await page.getByLabel('URLs to call, one per line').fill('no address');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      const refused = page.getByLabel('URLs to call, one per line');
      await page.locator('.field').filter({ has: refused }).getByRole('alert').waitFor();
      assert.ok(await refused.evaluate((control) => control.matches(':focus')));
      assert.equal(await page.getByLabel('Trigger words, one per line').inputValue(), word);
      await page.getByLabel('URLs to call, one per line').fill(console.receiver.url);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const hookPage = page.url();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByText('More', { exact: true }).click();
      await page.getByLabel('Description').fill('Changed.');
      const change = page.waitForRequest((request) => request.method() === 'PATCH');
      await page.getByRole('button', { name: 'Save' }).click();
      assert.deepEqual((await change).postDataJSON(), { description: 'Changed.' });
      await page.getByRole('tab', { name: 'Try its words' }).click();
      await page.getByLabel('A message').fill(`${word} now`);
      await page.getByText(`Fires on “${word}”`).waitFor();
      await page.getByLabel('Words, one per line').fill('other');
      await page.getByRole('button', { name: 'Try', exact: true }).click();
      await page.getByText(/Of \d+ messages, 0 fire now, and 0 would/).waitFor();
      const { received } = console.receiver;
      received.length = 0;
      await open(page, 'Channels');
      await page.getByLabel('Write a message').fill(`${word} now`);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('The program has answered.').waitFor();
      assert.equal(received.length, 1);
      await page.goto(hookPage);
      const row = page.getByRole('list', { name: 'Deliveries' }).getByRole('button').first();
      await row.getByText('delivered').waitFor();
      await row.click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: 'Attempt 1' }).waitFor();
      await dialog.getByText('The program has answered.').first().waitFor();
      await dialog.getByText('First byte').waitFor();
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await eventually('the second call', () => received.length === 2);
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Test call' }).click();
      await page.getByRole('button', { name: 'Call it now' }).click();
      await page.getByRole('heading', { name: /^200 in \d+ ms$/ }).waitFor();
      await page.getByLabel('the reply', { exact: true }).getByText('The program has answered.').waitFor();
      await page.getByRole('tab', { name: 'Secret' }).click();
      assert.equal(await page.getByText(/^whsec_/).count(), 0);
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText(/^whsec_/).waitFor();
    }));

  test('charts the last day of each listed outgoing webhook with one request', async () => {
    const word = unique('charted');
    const make = (words) => console.hookFor({ display_name: unique('charted'), trigger_words: words });
    const [called, idle] = [await make([word]), await make([unique('never')])];
    const callsAre = async (status, ...expected) => {
      console.receiver.status = status;
      await scene.admin.createPost({ channel_id: scene.channel.id, message: word });
      await eventually('counted calls', async () => {
        const path = `${serverUrl}/api/v4/hooks/outgoing/${called.id}/stats`;
        const headers = { Authorization: `Bearer ${scene.admin.getToken()}` };
        const { totals } = await (await fetch(path, { headers })).json();
        return isDeepStrictEqual([totals.delivered, totals.failed.http_4xx], expected);
      });
      console.receiver.status = 200;
    };
    await callsAre(200, 1, 0);
    await callsAre(410, 1, 1);
    await visit('charts', async (page) => {
      const asked = [];
      let release;
      const isReleased = new Promise((resolve) => (release = resolve));
      await page.route('**/hooks/outgoing/stats?*', async (route) => {
        asked.push(...route.request().postDataJSON().hook_ids);
        await isReleased;
        await route.continue();
      });
      await page.setViewportSize({ width: 800, height: 800 });
      await page.goto(`${serverUrl}/#/outgoing`);
      const row = (hook) => page.getByRole('row').filter({ hasText: hook.display_name });
      await row(called).waitFor();
      const boxes = async () => {
        const cells = await row(called).getByRole('cell').all();
        return Promise.all(cells.map((cell) => cell.boundingBox()));
      };
      const before = await boxes();
      release();
      await row(called).getByRole('img', { name: 'Last day: 1 delivered, 1 failed' }).waitFor();
      assert.deepEqual(await boxes(), before, 'layout shift after the chart has loaded');
      await row(idle).getByText('no calls').waitFor();
      assert.equal(asked.filter((id) => id === called.id).length, 1);
      assert.ok(asked.includes(idle.id));
    });
  });

  test('loads more of a long list at its end, and finds webhooks that are not loaded yet', async () => {
    const name = unique('long');
    const team = await scene.admin.createTeam({ name, display_name: name, type: 'O' });
    const channel = await scene.admin.getChannelByName(team.id, 'town-square');
    for (let n = 1; n <= 230; n++) {
      const made = { team_id: team.id, channel_id: channel.id, display_name: `webhook no. ${n}` };
      await scene.admin.createIncomingWebhook(made);
      await scene.admin.createOutgoingWebhook({
        ...made,
        trigger_words: [`word${n}`],
        callback_urls: [console.receiver.url],
      });
    }
    await visit('long lists', async (page) => {
      for (const path of ['incoming', 'outgoing']) {
        await page.goto(`${serverUrl}/#/${path}`);
        await page.getByRole('combobox', { name: 'Team' }).selectOption({ label: name });
        const rows = page.locator('tbody tr');
        await rows.filter({ hasText: 'webhook no.' }).first().waitFor();
        assert.equal(await rows.count(), 100);
        for (const count of [200, 230]) {
          await rows.last().scrollIntoViewIfNeeded();
          await eventually(`${count} rows`, async () => (await rows.count()) === count);
        }
        await page.reload();
        await page.getByRole('searchbox').fill('no. 230');
        await page.getByRole('link', { name: 'webhook no. 230' }).waitFor();
        assert.equal(await rows.count(), 1);
      }
    });
  });

  test('finds a delivery among those of all webhooks, by filters in the address', async () => {
    const word = unique('found');
    const hook = await scene.admin.createOutgoingWebhook({
      team_id: scene.team.id,
      channel_id: scene.channel.id,
      display_name: unique('all'),
      trigger_words: [word],
      callback_urls: [console.receiver.url],
    });
    await scene.admin.createPost({ channel_id: scene.channel.id, message: word });
    await visit('deliveries', async (page) => {
      await open(page, 'Deliveries');
      await page.getByLabel('Status').selectOption('delivered');
      const row = page
        .getByRole('list', { name: 'Deliveries' })
        .getByRole('button', { name: hook.display_name });
      await row.waitFor();
      assert.match(page.url(), /status=delivered/);
      await page.getByText('More filters').click();
      await page.getByLabel('Endpoint').fill('no endpoint');
      await page.getByLabel('Endpoint').press('Enter');
      await page.getByRole('alert').waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByLabel('Status').selectOption('failed');
      await row.waitFor({ state: 'detached' });
      await page.goto(`${serverUrl}/#/deliveries?hook=${hook.id}`);
      await row.click();
      await page.getByRole('dialog').getByRole('heading', { name: 'Attempt 1' }).waitFor();
    });
  });
});
