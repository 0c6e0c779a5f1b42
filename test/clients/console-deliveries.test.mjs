/** The delivery pages of the console, in Chromium: a single delivery, batches, and filters. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { Webhook } from 'standardwebhooks';
import { open, openConsole } from './support/console.mjs';
import { buildUser, eventually, serverUrl, unique, userPassword } from './support/scene.mjs';

const run = promisify(execFile);
const QUIET = { status: 200, text: '' };

describe('the delivery pages of the console', () => {
  let console;
  let scene;
  let visit;
  let receiver;
  let say;

  before(async () => {
    console = await openConsole('deliveries');
    ({ scene, visit, receiver, say } = console);
  });
  after(() => console?.close());

  const hookFor = (fields) =>
    console.hookFor({
      callback_urls: [`${receiver.url}${unique('path')}`],
      content_type: 'application/json',
      ...fields,
    });
  const deliveriesOf = async (hook, status = '') => {
    const path = `${serverUrl}/api/v4/hooks/outgoing/${hook.id}/deliveries?status=${status}`;
    const answer = await fetch(path, { headers: { authorization: `Bearer ${scene.admin.getToken()}` } });
    return (await answer.json()).deliveries;
  };
  const settled = (hook, count, status = 'delivered') =>
    eventually(`${count} deliveries`, async () => {
      const found = await deliveriesOf(hook, status);
      return found.length === count && found;
    });
  const hookPage = (hook, query = '') => `${serverUrl}/#/outgoing/${hook.id}?tab=deliveries${query}`;

  for (const colorScheme of ['light', 'dark'])
    test(`shows when, why and what a delivery sent, and a command for it (${colorScheme})`, () =>
      visit(
        `one-${colorScheme}`,
        async (page) => {
          const hook = await hookFor();
          Object.assign(receiver, { status: 200, text: 'It’s "done"' });
          await say(`${hook.trigger_words[0]} it's "quoted" & $HOME \`date\` !1`);
          const [{ id }] = await settled(hook, 1);
          await page.goto(hookPage(hook, `&delivery=${id}`));
          const dialog = page.getByRole('dialog');
          const steps = dialog.getByRole('list', { name: 'Steps of the delivery' });
          for (const name of ['Posted', 'Stored', 'Called', 'Answered 200', 'Reply posted'])
            await steps.getByText(name, { exact: true }).waitFor();
          await dialog.getByText('which may appear anywhere in it').waitFor();
          await dialog.getByText(hook.trigger_words[0]).first().waitFor();
          receiver.received.length = 0;
          await dialog.getByRole('button', { name: 'Send again' }).click();
          await dialog.getByRole('heading', { name: 'Attempt 2' }).waitFor();
          await steps.getByText('Called for the 2nd time').waitFor();
          const names = await steps.locator('b').allInnerTexts();
          assert.deepEqual(
            [names.indexOf('Reply posted') < names.indexOf('Called for the 2nd time'), names.at(-1)],
            [true, 'Answered 200'],
          );
          const parts = '**/console/text-diff-*.js';
          await page.route(parts, (route) => route.abort());
          await dialog.getByText('Compare two attempts').click();
          await dialog.getByText('This part of the page could not be loaded.').waitFor();
          await page.unroute(parts);
          await dialog.getByRole('button', { name: 'Try again' }).click();
          const difference = dialog.getByLabel('The difference of the outcomes');
          await difference.getByText('was already posted').waitFor();
          await dialog.getByText('No differences.').first().waitFor();
          await eventually('the second call', () => receiver.received.length === 1);
          await dialog.getByRole('button', { name: 'Create a curl command' }).click();
          const copy = dialog.getByRole('button', { name: 'Copy the curl command' });
          await copy.click();
          const command = await page.evaluate(() => navigator.clipboard.readText());
          assert.ok(!(await dialog.innerText()).includes(hook.token));
          await run('sh', ['-c', command]);
          const [sent, byHand] = receiver.received;
          assert.equal(byHand.body, sent.body);
          assert.equal(byHand.headers['webhook-id'], id);
          assert.equal(byHand.headers['user-agent'], sent.headers['user-agent']);
          new Webhook(hook.signing_secret).verify(byHand.body, byHand.headers);
          const { violations } = await new AxeBuilder({ page }).analyze();
          const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
          assert.deepEqual(
            serious.map(({ id: rule, nodes }) => `${rule}: ${nodes.map(({ html }) => html).join(' ')}`),
            [],
          );
          await dialog.getByRole('link', { name: 'Show the message' }).click();
          await page.getByRole('dialog').getByText('quoted').first().waitFor();
        },
        { colorScheme },
      ));

  test('resends a selection, also by keyboard, and lists the deliveries that it cannot resend', () =>
    visit('many', async (page) => {
      Object.assign(receiver, QUIET);
      const hook = await hookFor();
      for (let count = 0; count < 3; count++) await say(hook.trigger_words[0]);
      const rows = await settled(hook, 3);
      receiver.received.length = 0;
      await page.goto(hookPage(hook));
      const list = page.getByRole('list', { name: 'Deliveries' });
      await list.getByRole('checkbox').first().focus();
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Send 1 again' }).waitFor();
      await page.getByRole('checkbox', { name: 'Select all shown' }).click();
      await page.getByRole('button', { name: 'Send 3 again' }).click();
      const dialog = page.getByRole('dialog', { name: 'Send 3 deliveries again?' });
      await dialog.getByText('3 were delivered already: the receiver gets them a second time.').waitFor();
      await dialog.getByRole('button', { name: 'Send all 3' }).click();
      await page.getByText('3 deliveries are sent again.').waitFor();
      await eventually('three calls', () => receiver.received.length === 3);
      assert.deepEqual(
        receiver.received.map(({ headers }) => headers['webhook-id']).sort(),
        rows.map(({ id }) => id).sort(),
      );
      await scene.admin.deletePost(rows[0].post_id);
      await page.getByRole('checkbox', { name: 'Select all shown' }).click();
      await page.getByRole('button', { name: 'Send 3 again' }).click();
      await dialog.getByRole('button', { name: 'Send all 3' }).click();
      await page.getByText('2 deliveries are sent again. 1 is not:').waitFor();
      await page.getByText('1 × The message was deleted').waitFor();
    }));

  test('asks before it resends delivered ones, and can resend only failed ones', () =>
    visit('failed-only', async (page) => {
      const hook = await hookFor();
      Object.assign(receiver, QUIET);
      await say(hook.trigger_words[0]);
      await settled(hook, 1);
      Object.assign(receiver, { status: 410 });
      await say(hook.trigger_words[0]);
      const [{ id }] = await settled(hook, 1, 'failed');
      Object.assign(receiver, QUIET);
      await fetch(`${serverUrl}/api/v4/hooks/outgoing/${hook.id}/enable`, {
        method: 'POST',
        headers: { authorization: `Bearer ${scene.admin.getToken()}` },
      });
      await page.goto(hookPage(hook));
      const list = page.getByRole('list', { name: 'Deliveries' });
      await page.getByRole('button', { name: 'Select the 1 that failed' }).click();
      await page.getByRole('button', { name: 'Send 1 again' }).waitFor();
      assert.equal(await list.getByRole('checkbox', { checked: true }).count(), 1);
      await page.getByRole('checkbox', { name: 'Select all shown' }).click();
      receiver.received.length = 0;
      await page.getByRole('button', { name: 'Send 2 again' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 was delivered already: the receiver gets it a second time.').waitFor();
      await dialog.getByRole('button', { name: 'Send only the 1 that failed' }).click();
      await page.getByText('1 delivery is sent again.').waitFor();
      await settled(hook, 2);
      assert.deepEqual(
        receiver.received.map(({ headers }) => headers['webhook-id']),
        [id],
      );
    }));

  test('resends all deliveries that match the filters, after showing how many there are', () =>
    visit('retry-matching', async (page) => {
      const hook = await hookFor();
      await say(hook.trigger_words[0]);
      await settled(hook, 1);
      Object.assign(receiver, { status: 410 });
      await say(hook.trigger_words[0]);
      const [{ id }] = await settled(hook, 1, 'failed');
      Object.assign(receiver, QUIET);
      await fetch(`${serverUrl}/api/v4/hooks/outgoing/${hook.id}/enable`, {
        method: 'POST',
        headers: { authorization: `Bearer ${scene.admin.getToken()}` },
      });
      receiver.received.length = 0;
      await page.goto(hookPage(hook));
      await page.getByRole('button', { name: 'Retry all that match…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 delivery matches, of which 0 wait for the next attempt.').waitFor();
      assert.equal(receiver.received.length, 0);
      await dialog.getByRole('button', { name: 'Send 1 again' }).click();
      await settled(hook, 2);
      assert.deepEqual(
        receiver.received.map(({ headers }) => headers['webhook-id']),
        [id],
      );
      await page.getByText('1 of 1 were sent again').first().waitFor();
    }));

  test('counts missed deliveries since a time, resends them after confirmation, and can stop', () =>
    visit('recover', async (page) => {
      const hook = await hookFor();
      Object.assign(receiver, { status: 410 });
      await say(hook.trigger_words[0]);
      await settled(hook, 1, 'failed');
      await say(hook.trigger_words[0]);
      await settled(hook, 1, 'cancelled');
      Object.assign(receiver, QUIET);
      await page.goto(hookPage(hook));
      await page.getByRole('button', { name: 'Enable again' }).click();
      await page.getByRole('button', { name: 'Enable again' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Send missed deliveries again' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Missed since').fill('2099-01-01T00:00:00');
      await dialog.getByRole('button', { name: 'Count' }).click();
      await dialog.getByText('Nothing has been missed since then.').waitFor();
      await dialog.getByLabel('Missed since').fill('2020-01-01T00:00:00');
      await dialog.getByRole('button', { name: 'Count' }).click();
      await dialog.getByText('2 deliveries have failed or were cancelled since then.').waitFor();
      await dialog.getByRole('button', { name: 'Send 2 again' }).click();
      await page.getByText('The last recovery is finished: 2 of 2 were sent again').waitFor();
      await settled(hook, 2);
      // One that keeps running: real ones end too soon.
      const [recovery] = await (
        await page.request.get(`${serverUrl}/api/v4/hooks/outgoing/${hook.id}/recover`)
      ).json();
      let status = 'running';
      await page.route('**/recover', (route) =>
        route.fulfill({ json: [{ ...recovery, total: 9, requeued: 4, status }] }),
      );
      await page.route('**/recover/*/stop', (route) => {
        assert.match(route.request().url(), new RegExp(`/${recovery.id}/stop$`));
        status = 'stopped';
        return route.fulfill({ json: { ...recovery, status } });
      });
      await page.reload();
      await page.getByText('4 of 9 are sent again.').waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('The last recovery was stopped: 4 of 9 were sent again').waitFor();
    }));

  test('keeps filters in the address, removes each one, and saves them as a view', () =>
    visit('filters', async (page, context) => {
      Object.assign(receiver, QUIET);
      const hook = await hookFor();
      await say(hook.trigger_words[0]);
      const [{ id }] = await settled(hook, 1);
      await open(page, 'Deliveries');
      await page.getByLabel('Webhook', { exact: true }).focus();
      await page.locator(`datalist option[value="${hook.display_name}"]`).waitFor({ state: 'attached' });
      await page.getByLabel('Webhook', { exact: true }).fill(hook.display_name);
      const set = page.getByRole('list', { name: 'Filters that are set' });
      await set.getByRole('button', { name: `Webhook: ${hook.display_name}` }).waitFor();
      await page.getByText('More filters').click();
      const answer = page.getByLabel('Answer');
      await answer.fill('2x');
      await answer.press('Enter');
      await page
        .locator('form', { has: answer })
        .getByRole('alert')
        .filter({ hasText: 'it must be an HTTP status or a class of them' })
        .waitFor();
      assert.equal(await answer.getAttribute('aria-invalid'), 'true');
      await page.getByText('A filter is not valid.').waitFor();
      await answer.fill('2xx');
      await answer.press('Enter');
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await page.getByLabel('Delivery', { exact: true }).fill(id);
      await page.getByLabel('Delivery', { exact: true }).press('Enter');
      await page.getByLabel('From', { exact: true }).fill('2020-02-03T04:05:06');
      await page.getByLabel('From', { exact: true }).press('Enter');
      await set.getByRole('button', { name: /^From: / }).waitFor();
      const list = page.getByRole('list', { name: 'Deliveries' });
      await list.getByRole('button', { name: hook.display_name }).waitFor();
      await page.getByRole('button', { name: 'Copy the link to this list' }).click();
      const address = await page.evaluate(() => navigator.clipboard.readText());
      const at = new Date('2020-02-03T04:05:06').getTime();
      for (const part of [`hook=${hook.id}`, 'http=2xx', `id=${id}`, `since=%22${at}%22`])
        assert.ok(address.includes(part), address);
      const name = unique('view');
      await page.getByText('Save these filters').click();
      await page.getByLabel('Name of the view').fill(name);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name, exact: true }).waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
      await set.waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('button', { name, exact: true }).click();
      await set.getByRole('button', { name: 'Answer: 2xx' }).click();
      await set.getByRole('button', { name: 'Answer: 2xx' }).waitFor({ state: 'detached' });
      assert.match(page.url(), new RegExp(`hook=${hook.id}`));
      assert.doesNotMatch(page.url(), /http=/);
      await page.getByLabel('Status').selectOption('failed');
      await page.getByText('No deliveries match.').waitFor();
      await page.getByRole('button', { name: `Remove the view ${name}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' });
      const other = await context.newPage();
      await other.goto(address);
      await other.getByRole('list', { name: 'Deliveries' }).getByRole('button').first().click();
      await other.getByRole('dialog').getByRole('heading', { name: 'Attempt 1' }).waitFor();
    }));

  test('shows webhook managers of a team what they can filter and resend', async () => {
    const { user } = await buildUser(scene.admin);
    await scene.admin.addToTeam(scene.team.id, user.id);
    await scene.admin.updateTeamMemberSchemeRoles(scene.team.id, user.id, true, true);
    Object.assign(receiver, QUIET);
    const hook = await hookFor();
    await say(hook.trigger_words[0]);
    await settled(hook, 1);
    await visit(
      'manager',
      async (page) => {
        await page.goto(hookPage(hook));
        const row = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
        await row.getByText('delivered').waitFor();
        assert.equal(await page.getByRole('checkbox').count(), 0);
        assert.equal(await page.getByLabel('Endpoint').count(), 0);
        await page.getByLabel('Status').selectOption('failed');
        await page.getByText('No deliveries match.').waitFor();
        await page.getByLabel('Status').selectOption('delivered');
        await row.getByRole('button').click();
        receiver.received.length = 0;
        await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
        await eventually('the call', () => receiver.received.length === 1);
      },
      { username: user.username, password: userPassword },
    );
  });

  test('describes failed and running calls, and shows each part of the duration in place', () =>
    visit('words', async (page) => {
      const hook = await hookFor({ callback_urls: ['http://127.0.0.1:9/'] });
      await say(hook.trigger_words[0]);
      const { id } = await eventually('an attempt', async () =>
        (await deliveriesOf(hook)).find(({ last_error: error }) => error !== ''),
      );
      await page.goto(hookPage(hook));
      await page.getByText('More filters').click();
      await page.getByLabel('Error').selectOption('no connection');
      await page.getByRole('button', { name: 'Error: no connection' }).waitFor();
      assert.match(page.url(), /error=connect/);
      const view = unique('view');
      await page.getByText('Save these filters').click();
      await page.getByLabel('Name of the view').fill(view);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: view, exact: true }).waitFor();
      await page.goto(`${serverUrl}/#/deliveries?status=cancelled`);
      await page.getByRole('button', { name: view, exact: true }).click();
      await page.waitForURL(/deliveries\?error=connect$/);
      await page.goto(hookPage(hook, '&error=connect'));
      const row = page.getByRole('list', { name: 'Deliveries' }).getByRole('button');
      await row.getByText('no connection').waitFor();
      await row.click();
      const dialog = page.getByRole('dialog');
      const steps = dialog.getByRole('list', { name: 'Steps of the delivery' });
      await steps.getByText('Failed: no connection').first().waitFor();

      const path = `${serverUrl}/api/v4/hooks/outgoing/${hook.id}/deliveries/${id}`;
      const found = await (await page.request.get(path)).json();
      const times = {
        timing: { name_ms: 10, connect_ms: 20, tls_ms: 30, sent_ms: 70 },
        first_byte_ms: 90,
        duration_ms: 100,
      };
      let shown = { ...found, status: 'in_flight', finish_at: 0, next_attempt_at: 1 };
      await page.route(path, (route) => route.fulfill({ json: shown }));
      await steps.getByText('Being called now').waitFor();
      assert.equal(await steps.getByText('Next attempt').count(), 0);
      const limit = { reason: 'message_limit', left_out_calls: 12, left_out_hooks: 3 };
      shown = { ...found, ...limit, attempt_list: [{ ...found.attempt_list[0], ...times }] };
      await dialog.getByText('12 calls of 3 webhooks were left out.').waitFor();
      const bars = await dialog
        .locator('.waterfall .bar')
        .evaluateAll((all) =>
          all.map((bar) => [Number(bar.getAttribute('x')), Number(bar.getAttribute('width'))]),
        );
      assert.deepEqual(bars, [
        [0, 10],
        [10, 20],
        [30, 30],
        [60, 10],
        [70, 20],
        [90, 10],
      ]);
    }));

  test('shows retries and their time, and finds them among failures', () =>
    visit('retrying', async (page) => {
      Object.assign(receiver, QUIET);
      const hook = await hookFor();
      await say(hook.trigger_words[0]);
      const [sample] = await settled(hook, 1);
      const open = { ...sample, status: 'pending', finish_at: 0, last_status_code: 500, attempts: 5 };
      const next = { next_attempt_at: Date.now() + 240_000 };
      await page.route(/\/hooks\/outgoing\/deliveries\?.*status=failed%2Cretrying/, (route) =>
        route.fulfill({ json: { deliveries: [{ ...open, ...next }], next_cursor: '' } }),
      );
      await page.goto(hookPage(hook));
      const rows = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
      await rows.getByText('delivered').waitFor();
      await page.getByLabel('Status').selectOption('failed or retrying');
      await rows.getByText('retrying', { exact: true }).waitFor();
      await rows.getByText('next in 4 minutes').waitFor();
      assert.equal(await rows.locator('.answer.bad').innerText(), '500');
      await page.unrouteAll();
      await page.getByLabel('Status').selectOption('retrying');
      await page.getByText('No deliveries match.').waitFor();
    }));

  test('stays fast with long lists, and continues after the first thousands', () =>
    visit('long', async (page) => {
      const hook = await hookFor();
      await say(hook.trigger_words[0]);
      const [sample] = await settled(hook, 1);
      const now = Date.now();
      const pages = new Set(); // the first one is reread now and then
      const row = (index) => ({ ...sample, id: String(index).padStart(26, '0'), create_at: now - index });
      await page.route(/\/hooks\/outgoing\/deliveries\?/, (route) => {
        const url = new URL(route.request().url());
        const start = Number(
          url.searchParams.get('cursor') ?? now - Number(url.searchParams.get('before') ?? now),
        );
        const size = Number(url.searchParams.get('per_page'));
        const deliveries = Array.from({ length: size }, (_, index) => row(start + index));
        pages.add(start);
        return route.fulfill({ json: { deliveries, next_cursor: String(start + size) } });
      });
      await open(page, 'Deliveries');
      const list = page.getByRole('list', { name: 'Deliveries' });
      await list.getByRole('listitem').first().waitFor();
      const end = page.getByText('These are the first 5000.');
      await eventually('the end of what is read', async () => {
        await list.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
        return end.isVisible();
      });
      assert.equal(pages.size, 50);
      assert.ok((await list.getByRole('listitem').count()) < 60);
      await page.getByRole('button', { name: 'Show older' }).click();
      await end.waitFor({ state: 'detached' });
      assert.match(page.url(), /after=%225000%22/);
      await list.getByRole('listitem').first().waitFor();
      assert.ok(pages.has(5_000));
      const behind = page.getByRole('button', { name: 'Older ones', exact: true });
      await behind.click();
      await behind.waitFor({ state: 'detached' });
      await list.getByRole('listitem').first().waitFor();
    }));
});
