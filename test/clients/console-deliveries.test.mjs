/** The delivery pages of the console, in Chromium: a single delivery, its requests, batches, and filters. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import {
  button,
  choose,
  confirm,
  copied,
  exactButton,
  fillIn,
  go,
  gone,
  open,
  PHONE,
  useConsole,
} from './support/console.mjs';
import { eventually, unique } from './support/scene.mjs';

const run = promisify(execFile);
const QUIET = { status: 200, text: '' };
/** Headers that depend on the secrets, or on other calls. */
const LEFT_OUT = ['connection', 'webhook-signature', 'x-hookline-signature-256'];

describe('the console: deliveries', () => {
  const { scene, receiver, visit, api, deliveriesOf, settled, say, ...console } = useConsole();

  /** Each with an endpoint of its own. */
  const hookFor = (fields) =>
    console.hookFor({
      callback_urls: [`${receiver.url}${unique('path')}`],
      content_type: 'application/json',
      ...fields,
    });
  const callWith = (hook, answer, count) => console.callWith(hook, { ...QUIET, ...answer }, count);
  /** A webhook with a delivered call and a failed one. */
  async function hookWithFailure() {
    const hook = await hookFor();
    await callWith(hook, {});
    const { id } = await callWith(hook, { status: 410 });
    await api(`/hooks/outgoing/${hook.id}/enable`, { method: 'POST' });
    receiver.received.length = 0;
    return { hook, id };
  }
  const goTo = (page, hook, query = '') => go(page, `/outgoing/${hook.id}?tab=deliveries${query}`);
  const listIn = (page) => page.getByRole('list', { name: 'Deliveries' });
  const calledIds = () => receiver.received.map(({ headers }) => headers['webhook-id']).sort();
  /** Adds a filter by the menu; `value` is an option or typed. */
  async function addFilter(page, name, value, isTyped = true) {
    await exactButton(page, 'Filter').click();
    const item = (title) => page.getByRole('menuitem', { name: title, exact: true });
    if (isTyped) {
      await item(`${name}…`).click();
      await enter(page, name, value);
    } else {
      await item(name).press('ArrowRight');
      await item(value).click();
    }
  }
  async function enter(page, name, value) {
    const field = page.getByLabel(name, { exact: true });
    await field.fill(value);
    await field.press('Enter');
  }
  const selectAll = (page) => page.getByRole('checkbox', { name: 'Select all shown' }).click();

  test('one delivery: when, why and what was sent, and a command that repeats it', () =>
    visit(async (page) => {
      const hook = await hookFor();
      Object.assign(receiver, { status: 200, text: 'It’s "done"' });
      await say(`${hook.trigger_words[0]} it's "quoted" & $HOME \`date\` !1`);
      const [{ id }] = await settled(hook, 1);
      await goTo(page, hook, `&delivery=${id}`);
      const dialog = page.getByRole('dialog');
      const steps = dialog.getByRole('list', { name: 'Steps of the delivery' });
      for (const name of ['Message posted', 'Queued', 'Attempt 1: 200', 'Reply posted'])
        await steps.getByText(name, { exact: true }).waitFor();
      await dialog.getByText('which may appear anywhere in the message').waitFor();
      await dialog.getByText(hook.trigger_words[0]).first().waitFor();
      receiver.received.length = 0;
      await exactButton(dialog, 'Resend').click();
      await dialog.getByRole('heading', { name: 'Attempt 2' }).waitFor();
      await steps.getByText('Attempt 2: 200').waitFor();
      const names = await steps.getByRole('listitem').allInnerTexts();
      const placeOf = (name) => names.findIndex((text) => text.startsWith(name));
      assert.ok(placeOf('Reply posted') < placeOf('Attempt 2'));
      assert.equal(placeOf('Attempt 2'), names.length - 1);
      const parts = '**/console/text-diff-*.js';
      await page.route(parts, (route) => route.abort());
      await dialog.getByText('Compare two attempts').click();
      await dialog.getByText('This part of the page could not be loaded.').waitFor();
      await page.unroute(parts);
      await button(dialog, 'Try again').click();
      await dialog.getByLabel('Differences: Outcome and times').getByText('was already posted').waitFor();
      await dialog.getByText('No differences.').first().waitFor();
      await eventually('the second call', () => receiver.received.length === 1);
      await button(dialog, 'Create cURL').click();
      await button(dialog, 'Copy the cURL command').click();
      const command = await copied(page);
      assert.ok(!(await dialog.innerText()).includes(hook.token));
      await run('sh', ['-c', command]);
      const [sent, byHand] = receiver.received;
      assert.equal(byHand.body, sent.body);
      assert.equal(byHand.headers['webhook-id'], id);
      assert.equal(byHand.headers['user-agent'], sent.headers['user-agent']);
      new Webhook(hook.signing_secret).verify(byHand.body, byHand.headers);
      await dialog.getByRole('link', { name: 'Show the message' }).click();
      await page.getByRole('dialog').getByText('quoted').first().waitFor();
    }));

  test('the request of each attempt: the headers and the size that the receiver got', () =>
    visit(async (page) => {
      const hook = await hookFor();
      receiver.received.length = 0;
      Object.assign(receiver, QUIET);
      await say(`${hook.trigger_words[0]} größer`);
      const [{ id }] = await settled(hook, 1);
      await goTo(page, hook, `&delivery=${id}`);
      const dialog = page.getByRole('dialog');
      await exactButton(dialog, 'Resend').click();
      for (const number of [1, 2]) {
        await button(dialog, `Attempt ${number}: 200`).press('Enter');
        const attempt = dialog.getByRole('region', { name: `Attempt ${number}` });
        await attempt
          .getByText(`${Buffer.byteLength(receiver.received[number - 1].body)} bytes as`)
          .waitFor();
        await attempt.getByRole('tab', { name: 'Headers' }).first().click();
        const { headers } = receiver.received[number - 1];
        const lines = Object.entries(headers)
          .filter(([name]) => !LEFT_OUT.includes(name))
          .map(([name, value]) => `${name}: ${value}`);
        const shown = attempt.getByLabel(`the request of attempt ${number}`, { exact: true });
        assert.equal(await shown.innerText(), [`POST ${hook.callback_urls[0]}`, ...lines].join('\n'));
      }
      await dialog.getByText('Compare two attempts').click();
      await dialog.getByRole('heading', { name: 'Request headers' }).waitFor();
      assert.equal(await page.locator('html').evaluate((all) => all.scrollWidth > all.clientWidth), false);
    }, PHONE));

  test('many deliveries: resends a selection, also by keyboard, and lists those that it cannot resend', () =>
    visit(async (page) => {
      const hook = await hookFor();
      for (let count = 1; count <= 3; count++) await callWith(hook, {}, count);
      const rows = await deliveriesOf(hook);
      receiver.received.length = 0;
      await goTo(page, hook);
      await listIn(page).getByRole('checkbox').first().focus();
      await page.keyboard.press('Space');
      await button(page, 'Resend 1').waitFor();
      await selectAll(page);
      await button(page, 'Resend 3').click();
      const dialog = page.getByRole('dialog', { name: 'Resend 3 deliveries?' });
      await dialog.getByText('3 were delivered already: the receiver gets them a second time.').waitFor();
      await button(dialog, 'Resend all 3').click();
      await page.getByText('3 deliveries are being resent.').waitFor();
      await eventually('three calls', () => receiver.received.length === 3);
      assert.deepEqual(calledIds(), rows.map(({ id }) => id).sort());
      await scene.admin.deletePost(rows[0].post_id);
      await selectAll(page);
      await button(page, 'Resend 3').click();
      await button(dialog, 'Resend all 3').click();
      await page.getByText('2 deliveries are being resent. 1 is not:').waitFor();
      await page.getByText('1 × The message was deleted').waitFor();
    }));

  test('asks before it resends delivered ones, and can resend only failed ones', () =>
    visit(async (page) => {
      const { hook, id } = await hookWithFailure();
      await goTo(page, hook);
      await button(page, 'Select the 1 that failed').click();
      await button(page, 'Resend 1').waitFor();
      assert.equal(await listIn(page).getByRole('checkbox', { checked: true }).count(), 1);
      await selectAll(page);
      await button(page, 'Resend 2').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 was delivered already: the receiver gets it a second time.').waitFor();
      await button(dialog, 'Resend only the 1 that failed').click();
      await page.getByText('1 delivery is being resent.').waitFor();
      await settled(hook, 2);
      assert.deepEqual(calledIds(), [id]);
    }));

  test('resends all deliveries that match the filters, after showing how many there are', () =>
    visit(async (page) => {
      const { hook, id } = await hookWithFailure();
      await goTo(page, hook);
      await button(page, 'Retry all that match…').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 delivery matches. New deliveries go first.').waitFor();
      assert.equal(receiver.received.length, 0);
      await button(dialog, 'Retry 1').click();
      await settled(hook, 2);
      assert.deepEqual(calledIds(), [id]);
      await page
        .getByText(/: 1 of 1 resent/)
        .first()
        .waitFor();
    }));

  test('counts missed deliveries since a time, resends them after confirmation, and can stop', () =>
    visit(async (page) => {
      const hook = await hookFor();
      await callWith(hook, { status: 410 });
      await say(hook.trigger_words[0]);
      await settled(hook, 1, 'cancelled');
      await goTo(page, hook);
      await button(page, 'Enable again').click();
      await gone(button(page, 'Enable again'));
      await button(page, 'Resend missed deliveries').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Missed since').fill('2099-01-01T00:00:00');
      await button(dialog, 'Preview').click();
      await dialog.getByText('Nothing was missed since then.').waitFor();
      await dialog.getByLabel('Missed since').fill('2020-01-01T00:00:00');
      await button(dialog, 'Preview').click();
      await dialog.getByText('2 deliveries have failed or were cancelled since then.').waitFor();
      await button(dialog, 'Resend 2').click();
      await page.getByText(/^Finished .*: 2 of 2 resent/).waitFor();
      await settled(hook, 2);
      // One that keeps running: real ones end too soon.
      const [recovery] = await api(`/hooks/outgoing/${hook.id}/recover`);
      let status = 'running';
      await page.route('**/recover', (route) =>
        route.fulfill({ json: [{ ...recovery, total: 9, requeued: 4, status }] }),
      );
      await page.route(`**/recover/${recovery.id}/stop`, (route) => {
        status = 'stopped';
        return route.fulfill({ json: { ...recovery, status } });
      });
      await page.reload();
      await page.getByText('4 of 9 resent').waitFor();
      await button(page, 'Stop').click();
      await page.getByText(/^Stopped .*: 4 of 9 resent/).waitFor();
    }));

  test('keeps filters in the address, removes each one, and saves them as a view', () =>
    visit(async (page, context) => {
      const hook = await hookFor();
      const { id } = await callWith(hook, {});
      await open(page, 'Deliveries');
      await exactButton(page, 'Filter').click();
      await page.getByRole('menuitem', { name: 'Webhook…' }).click();
      await choose(page.getByRole('combobox', { name: 'Webhook' }), hook.display_name);
      const set = page.getByRole('group', { name: 'Filters' });
      await button(set, `Webhook: ${hook.display_name}`).waitFor();
      await addFilter(page, 'Response', '2x');
      await page.getByRole('alert').getByText('it must be an HTTP status or a class of them').waitFor();
      await page.getByText('A filter is not valid.').waitFor();
      await button(set, 'Response: 2x').click();
      assert.equal(await page.getByLabel('Response', { exact: true }).getAttribute('aria-invalid'), 'true');
      await enter(page, 'Response', '2xx');
      await gone(page.getByRole('alert'));
      await addFilter(page, 'Delivery ID', id);
      await button(page, 'Any time').click();
      await page.getByLabel('From', { exact: true }).fill('2020-02-03T04:05:06');
      await exactButton(page, 'Apply').click();
      await button(page, /^Since Feb 3, 2020/).waitFor();
      await button(listIn(page), hook.display_name).waitFor();
      await button(page, 'Copy the link to this list').click();
      const address = await copied(page);
      const at = new Date('2020-02-03T04:05:06').getTime();
      for (const part of [`hook=${hook.id}`, 'http=2xx', `id=${id}`, `since=%22${at}%22`])
        assert.ok(address.includes(part), address);
      const name = unique('view');
      const view = page.getByRole('tab', { name, exact: true });
      await button(page, 'Save view').click();
      await fillIn(page.getByRole('dialog'), { Name: name }, 'Save');
      await view.waitFor();
      await page.getByRole('tab', { name: 'All' }).click();
      await gone(button(set, 'Response: 2xx'));
      await page.goBack();
      await button(set, 'Response: 2xx').waitFor();
      await go(page, '/deliveries?status=cancelled');
      await view.click();
      await button(set, 'Remove the filter Response').click();
      await gone(button(set, 'Response: 2xx'));
      assert.match(page.url(), new RegExp(`hook=${hook.id}`));
      assert.doesNotMatch(page.url(), /http=/);
      await addFilter(page, 'Status', 'Failed', false);
      await page.getByText('No deliveries match these filters.').waitFor();
      await view.click();
      await button(page, `Remove the view ${name}`).click();
      await gone(view);
      await exactButton(page, 'Undo').click();
      await view.click();
      await button(page, `Remove the view ${name}`).click();
      await gone(view);
      const other = await context.newPage();
      await other.goto(address);
      await listIn(other).getByRole('button').first().click();
      await other.getByRole('dialog').getByRole('heading', { name: 'Attempt 1' }).waitFor();
      await other.goBack();
      await gone(other.getByRole('dialog'));
    }));

  test('moves, opens, selects and resends by keys', () =>
    visit(async (page) => {
      const hook = await hookFor();
      for (let count = 1; count <= 3; count++) await callWith(hook, {}, count);
      const [, second, third] = await deliveriesOf(hook);
      receiver.received.length = 0;
      await goTo(page, hook);
      await listIn(page).getByRole('button').nth(2).waitFor();
      for (const key of ['j', 'j', 'x']) await page.keyboard.press(key);
      await exactButton(page, 'Resend 1').waitFor();
      await page.keyboard.press('x');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Delivery' });
      await dialog.getByText(second.id).waitFor();
      await page.keyboard.press('j');
      await dialog.getByText(third.id).waitFor();
      await page.keyboard.press('k');
      await dialog.getByText(second.id).waitFor();
      await page.keyboard.press('Escape');
      await gone(dialog);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('r');
      await confirm(page, 'Resend');
      await eventually('the call', () => receiver.received.length === 1);
      assert.deepEqual(calledIds(), [third.id]);
    }));

  test('shows webhook managers of a team what they can filter and resend', async () => {
    const { login } = await console.buildMember({ isTeamAdmin: true });
    const hook = await hookFor();
    await callWith(hook, {});
    await visit(async (page) => {
      await goTo(page, hook);
      const row = listIn(page).getByRole('listitem');
      await row.getByText('delivered').waitFor();
      assert.equal(await page.getByRole('checkbox').count(), 0);
      await exactButton(page, 'Filter').click();
      assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Status']);
      await page.keyboard.press('Escape');
      await addFilter(page, 'Status', 'Failed', false);
      await page.getByText('No deliveries match these filters.').waitFor();
      await page.getByRole('tab', { name: 'Delivered' }).click();
      await row.getByRole('button').click();
      receiver.received.length = 0;
      await exactButton(page.getByRole('dialog'), 'Resend').click();
      await eventually('the call', () => receiver.received.length === 1);
    }, login);
  });

  test('describes failed and running calls, and shows each part of the duration in place', () =>
    visit(async (page) => {
      const hook = await hookFor({ callback_urls: ['http://127.0.0.1:9/'] });
      await say(hook.trigger_words[0]);
      const { id } = await eventually('an attempt', async () =>
        (await deliveriesOf(hook)).find(({ last_error: error }) => error !== ''),
      );
      await goTo(page, hook);
      await addFilter(page, 'Error', 'No connection', false);
      await page.waitForURL(/error=connect/);
      const row = listIn(page).getByRole('button');
      await row.getByText('No connection').waitFor();
      await row.click();
      const dialog = page.getByRole('dialog');
      const steps = dialog.getByRole('list', { name: 'Steps of the delivery' });
      await steps.getByText('Attempt 1: No connection').waitFor();
      const attempt = dialog.getByRole('region', { name: 'Attempt 1' });
      await button(steps, 'Attempt 1').click();
      await attempt.getByText('The request was not recorded.').waitFor();

      const path = `/hooks/outgoing/${hook.id}/deliveries/${id}`;
      const found = await api(path);
      const timing = { name_ms: 10, connect_ms: 20, tls_ms: 30, sent_ms: 70 };
      const times = { timing, first_byte_ms: 90, duration_ms: 100 };
      let shown = { ...found, status: 'in_flight', finish_at: 0, next_attempt_at: 1 };
      await page.route(`**${path}`, (route) => route.fulfill({ json: shown }));
      await steps.getByText('Sending now').waitFor();
      assert.equal(await steps.getByText('Next attempt').count(), 0);
      const limit = { reason: 'message_limit', left_out_calls: 12, left_out_hooks: 3 };
      shown = { ...found, ...limit, attempt_list: [{ ...found.attempt_list[0], ...times }] };
      await dialog.getByText('12 calls of 3 webhooks were left out.').waitFor();
      const bars = await dialog
        .locator('.waterfall')
        .evaluateAll((all) =>
          all.map(({ children, clientWidth: whole }) =>
            [...children].map(({ offsetWidth: width }) => Math.round((width / whole) * 100)).join('+'),
          ),
        );
      assert.deepEqual(bars, ['0+10', '10+20', '30+30', '60+10', '70+20', '90+10']);
    }));

  test('shows retries and their time, and finds them among failures', () =>
    visit(async (page) => {
      const hook = await hookFor();
      const sample = await callWith(hook, {});
      const open = { ...sample, status: 'pending', finish_at: 0, last_status_code: 500, attempts: 5 };
      const next = { next_attempt_at: Date.now() + 240_000 };
      await page.route(/\/hooks\/outgoing\/deliveries\?.*status=failed%2Cretrying/, (route) =>
        route.fulfill({ json: { deliveries: [{ ...open, ...next }], next_cursor: '' } }),
      );
      await goTo(page, hook);
      const rows = listIn(page).getByRole('listitem');
      await rows.getByText('delivered').waitFor();
      await page.getByRole('tab', { name: 'Failing' }).click();
      await rows.getByText('Retrying', { exact: true }).waitFor();
      await rows.getByText(/next in [34] min/).waitFor();
      assert.equal(await rows.locator('[data-failed]').innerText(), '500');
    }));

  test('stays fast with long lists, and continues after the first thousands', () =>
    visit(async (page) => {
      const sample = await callWith(await hookFor(), {});
      const now = Date.now();
      const pages = new Set(); // the first one is reread now and then
      const row = (index) => ({ ...sample, id: String(index).padStart(26, '0'), create_at: now - index });
      await page.route(/\/hooks\/outgoing\/deliveries\?/, (route) => {
        const { searchParams } = new URL(route.request().url());
        const start = Number(searchParams.get('cursor') ?? now - Number(searchParams.get('before') ?? now));
        const size = Number(searchParams.get('per_page'));
        const deliveries = Array.from({ length: size }, (_, index) => row(start + index));
        pages.add(start);
        return route.fulfill({ json: { deliveries, next_cursor: String(start + size) } });
      });
      await open(page, 'Deliveries');
      const rows = listIn(page).getByRole('listitem');
      await rows.first().waitFor();
      const end = page.getByText('These are the first 5,000.');
      await eventually('the end of what is read', async () => {
        await listIn(page).evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
        return end.isVisible();
      });
      assert.equal(pages.size, 50);
      assert.ok((await rows.count()) < 60);
      await button(page, 'Show older').click();
      await gone(end);
      assert.match(page.url(), /after=%225000%22/);
      await rows.first().waitFor();
      assert.ok(pages.has(5_000));
      await exactButton(page, 'Back to the newest').click();
      await gone(exactButton(page, 'Back to the newest'));
      await rows.first().waitFor();
    }));
});
