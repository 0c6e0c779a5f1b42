/** The outgoing webhook pages of the console in Chromium: form, URLs and secrets. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { open, openConsole } from './support/console.mjs';
import { buildUser, eventually, serverUrl, unique } from './support/scene.mjs';
import { runnable, verdictsOf } from './support/verifiers.mjs';

describe('the outgoing webhook pages of the console', () => {
  let console;
  let scene;
  let visit;
  let receiver;
  let say;

  before(async () => {
    console = await openConsole('outgoing');
    ({ scene, visit, receiver, say } = console);
  });
  after(() => console?.close());

  const hookFor = (fields) => console.hookFor({ content_type: 'application/json', ...fields });

  test('replaces a secret, shows how long the old one is valid, and offers code that accepts both', () =>
    visit('secret', async (page) => {
      const hook = await hookFor();
      await page.goto(`${serverUrl}/#/outgoing/${hook.id}?tab=secret`);
      await page.getByRole('button', { name: 'Replace' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
      await dialog.getByText(/The old signing secret still signs for \d+ .*, until /).waitFor();
      await dialog.getByRole('button', { name: 'Copy the new signing secret' }).click();
      const secret = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(secret, (await scene.admin.getOutgoingWebhook(hook.id)).signing_secret);
      assert.notEqual(secret, hook.signing_secret);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.locator('dd', { hasText: /^for \d+ .*, until / }).waitFor();

      const checks = new Map();
      for (const language of runnable()) {
        await page.getByLabel('Language').selectOption(language);
        await page.getByRole('button', { name: 'Copy the check' }).click();
        checks.set(language, await page.evaluate(() => navigator.clipboard.readText()));
      }
      assert.ok(checks.has('Node.js') && checks.has('Python'), [...checks.keys()].join());
      receiver.received.length = 0;
      await say(`${hook.trigger_words[0]} “größer” 🚀`);
      const { body, headers } = await eventually('the call', () => receiver.received[0]);
      const signed = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headers[name]]),
      );
      const signature = signed['webhook-signature'];
      const old = new Date(Date.now() - 600_000);
      const replayed = {
        'webhook-id': signed['webhook-id'],
        'webhook-timestamp': String(Math.floor(old / 1000)),
        'webhook-signature': new Webhook(secret).sign(signed['webhook-id'], old, body),
      };
      const inCapitals = Object.fromEntries(
        Object.entries(signed).map(([name, value]) => [name.toUpperCase(), value]),
      );
      const call = { body, headers: signed, secret };
      const withSignature = (text) => ({ ...call, headers: { ...signed, 'webhook-signature': text } });
      const calls = [
        [true, call],
        [true, { ...call, secret: hook.signing_secret }],
        [true, { ...call, headers: inCapitals }],
        [true, withSignature(`v1,é€ ${signature}`)],
        [false, withSignature('v1,é€')],
        [false, withSignature('')],
        [false, { ...call, secret: `whsec_${Buffer.alloc(24).toString('base64')}` }],
        [false, { ...call, body: body.replace('{', '{ ') }],
        [false, { ...call, headers: replayed }],
        [false, { ...call, headers: { ...signed, 'webhook-timestamp': 'now' } }],
        [false, { ...call, headers: {} }],
      ];
      for (const [language, check] of checks)
        assert.deepEqual(
          await verdictsOf(
            language,
            check,
            calls.map(([, one]) => one),
          ),
          calls.map(([expected]) => expected),
          language,
        );

      // The end of the overlap, which is a day away.
      const record = await scene.admin.getOutgoingWebhook(hook.id);
      await page.route(`**/hooks/outgoing/${hook.id}`, (route) =>
        route.fulfill({ json: { ...record, previous_secret_until: Date.now() + 4_000 } }),
      );
      await page.reload();
      await page.getByText(/^for \d seconds?$/).waitFor();
      await page.getByText('no longer', { exact: true }).waitFor();
    }));

  test('warns about a URL that is not called, and hides a request that was not sent', () =>
    visit('internal', async (page) => {
      const name = unique('internal');
      await open(page, 'Outgoing webhooks');
      await page.getByRole('button', { name: 'Add a webhook' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill(name);
      await dialog.getByLabel('URLs to call, one per line').fill('http://10.0.0.5/');
      await dialog.getByLabel('Trigger words, one per line').fill(unique('word'));
      await dialog.getByRole('combobox', { name: 'Channel' }).selectOption({ label: 'All public channels' });
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const warning = page.getByText(
        '10.0.0.5 will not be called; ALLOWED_INTERNAL_HOSTS does not contain it.',
      );
      await warning.waitFor();
      await page.getByRole('tab', { name: 'Test call' }).click();
      await page.getByRole('button', { name: 'Call it now' }).click();
      await page.getByRole('heading', { name: 'Not sent' }).waitFor();
      await page.getByText(/an internal address that ALLOWED_INTERNAL_HOSTS does not contain/).waitFor();
      assert.equal(await page.getByRole('heading', { name: 'Sent', exact: true }).count(), 0);
      await page.getByRole('button', { name: 'Edit' }).click();
      await dialog.getByLabel('URLs to call, one per line').fill(receiver.url);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await warning.waitFor({ state: 'detached' });
    }));

  test('creates a webhook for another user, with a name and a picture for responses, once however often it is sent', async () => {
    const { user } = await buildUser(scene.admin, 'owner');
    await scene.admin.addToTeam(scene.team.id, user.id);
    await visit('form', async (page) => {
      const name = unique('made');
      const word = unique('word');
      await open(page, 'Outgoing webhooks');
      await page.getByRole('button', { name: 'Add a webhook' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill(name);
      await dialog.getByLabel('URLs to call, one per line').fill(receiver.url);
      await dialog.getByLabel('Trigger words, one per line').fill(word);
      const channels = dialog.getByRole('combobox', { name: 'Channel' });
      assert.equal(await channels.inputValue(), '');
      await channels.selectOption({ label: 'All public channels' });
      await dialog.getByText('More', { exact: true }).click();
      await dialog.getByLabel('Replies are shown as').fill('answerer');
      await dialog.getByLabel('Picture').fill('https://example.com/bot.png');
      const owner = dialog.getByLabel('Owner');
      await owner.fill('nobody.of.this.name');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog
        .locator('.field')
        .filter({ has: page.getByLabel('Owner') })
        .getByRole('alert')
        .waitFor();
      await owner.fill(`@${user.username}`);
      let release;
      let sent = 0;
      const isReleased = new Promise((resolve) => (release = resolve));
      await page.route('**/api/v4/hooks/outgoing', async (route) => {
        if (route.request().method() === 'POST') {
          sent += 1;
          await isReleased;
        }
        await route.continue();
      });
      const add = dialog.getByRole('button', { name: 'Add', exact: true });
      await add.evaluate((button) => {
        button.click();
        button.click();
      });
      const busy = dialog.getByRole('button', { name: 'One moment…' });
      await busy.waitFor();
      assert.ok(await busy.isDisabled());
      await dialog.getByLabel('Name', { exact: true }).press('Enter');
      await dialog.locator('form').evaluate((form) => form.requestSubmit());
      release();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      assert.equal(sent, 1);
      const made = (await scene.admin.getOutgoingWebhooks('', scene.team.id)).filter(
        ({ display_name: title }) => title === name,
      );
      assert.deepEqual(
        made.map(({ creator_id: creator, channel_id: of, username, icon_url: icon }) => [
          creator,
          of,
          username,
          icon,
        ]),
        [[user.id, '', 'answerer', 'https://example.com/bot.png']],
      );
      await page.getByRole('button', { name: 'Edit' }).click();
      await dialog.getByLabel('Replies are shown as').fill('another');
      assert.equal(await dialog.getByLabel('Owner').count(), 0);
      const change = page.waitForRequest((request) => request.method() === 'PATCH');
      await dialog.getByRole('button', { name: 'Save' }).click();
      assert.deepEqual((await change).postDataJSON(), { username: 'another' });
    });
  });

  test('shows the state of each URL of a webhook, in its list and on its page', () =>
    visit('urls', async (page) => {
      const hook = await hookFor({ callback_urls: [receiver.url, 'http://127.0.0.1:9/closed'] });
      receiver.status = 410;
      await say(hook.trigger_words[0]);
      await eventually('both to fail', async () => {
        const { disabled_urls: disabled, failing_urls: failing } = await scene.admin.getOutgoingWebhook(
          hook.id,
        );
        return disabled.length === 1 && failing.length === 1;
      });
      receiver.status = 200;
      await page.goto(`${serverUrl}/#/outgoing`);
      const row = page.getByRole('row').filter({ hasText: hook.display_name });
      const [first, second] = [row.locator('[title]').nth(0), row.locator('[title]').nth(1)];
      await first.getByText('disabled').waitFor();
      assert.equal(await first.getAttribute('title'), receiver.url);
      await second.getByText('failing').waitFor();
      await row.getByRole('link').click();
      await page.getByRole('definition').getByText('disabled', { exact: true }).waitFor();
    }));

  test('reports that recoveries cannot be loaded, and the request id of a failed dry run', () =>
    visit('faults', async (page) => {
      const hook = await hookFor();
      const refusal = {
        status: 409,
        json: { id: 'x', message: 'Out of order.', request_id: 'req1234', status_code: 409 },
      };
      await page.route('**/recover', (route) => route.fulfill(refusal));
      await page.route('**/dry_run', (route) => route.fulfill(refusal));
      await page.route('**/explain?*', (route) => route.fulfill(refusal));
      await page.goto(`${serverUrl}/#/outgoing/${hook.id}?tab=deliveries`);
      const fault = page.getByRole('alert').filter({ hasText: 'Out of order. Request req1234' });
      await fault.waitFor();
      await page.getByRole('tab', { name: 'Try its words' }).click();
      await page.getByLabel('A message').fill('something');
      await fault.waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Try it on the last messages').click();
      await dialog.getByRole('alert').filter({ hasText: 'req1234' }).waitFor();
    }));
});
