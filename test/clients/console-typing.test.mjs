/** Typing and key presses in the console, and its feedback, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { open, openConsole } from './support/console.mjs';
import { buildUser, eventually, postsIn, serverUrl, unique, userPassword } from './support/scene.mjs';

describe('typing and pressing in the console', () => {
  let console, scene;

  before(async () => {
    console = await openConsole('typing');
    scene = console.scene;
  });
  after(() => console?.close());

  const go = (page, place) => page.goto(`${serverUrl}/#${place}`);
  const buttonOf = (page, name) => page.getByRole('button', { name, exact: true });
  /** As on a server without TLS. */
  const asWithoutTls = (page) =>
    page.evaluate(`Object.defineProperty(window, 'isSecureContext', { value: false })`);

  test('shows a member webhooks in plain words, and offers only actions that can succeed', async () => {
    const { user } = await buildUser(scene.admin, 'member');
    await scene.admin.addToTeam(scene.team.id, user.id);
    const act = async (page) => {
      for (const title of ['Incoming webhooks', 'Outgoing webhooks']) {
        await open(page, title);
        await page.getByText('Only administrators can manage the webhooks of a team.').waitFor();
        assert.equal(await buttonOf(page, 'Add a webhook').count(), 0);
        assert.equal(await page.getByRole('alert').count(), 0);
      }
      await open(page, 'Home');
      await page.getByRole('main').getByRole('link', { name: 'Channels' }).waitFor();
      assert.equal(await page.getByRole('alert').count(), 0);
      assert.equal(await buttonOf(page, 'Try again').count(), 0);
      assert.equal(await page.getByRole('main').getByRole('link').count(), 1);
    };
    await console.visit('member', act, { username: user.username, password: userPassword });
  });

  test('text typed in a search stays in its field', () =>
    console.visit('search', async (page) => {
      for (const [place, name] of [
        ['/incoming', 'Search webhooks'],
        ['/teams', 'Search teams'],
        ['/endpoints', 'Search endpoints'],
        ['/people', 'Search people'],
        ['/system?tab=settings', 'Search settings'],
      ]) {
        await go(page, place);
        const field = page.getByLabel(name);
        await field.pressSequentially('beg-end');
        for (let at = 0; at < '-end'.length; at++) await field.press('ArrowLeft');
        await field.pressSequentially('inning');
        assert.equal(await field.inputValue(), 'beginning-end', place);
        await page.waitForURL(/=beginning-end$/);
        await go(
          page,
          `${place}${place.includes('?') ? '&' : '?'}${place === '/endpoints' ? 'term' : 'search'}=other`,
        );
        await page.waitForFunction((one) => one.value === 'other', await field.elementHandle());
      }
    }));

  test('a call is replayed once per click, and its result is shown', async () => {
    const hook = await scene.admin.createIncomingWebhook({
      channel_id: scene.channel.id,
      display_name: unique('kept'),
      description: '',
      keep_requests: true,
    });
    const send = (text, rest = '') =>
      fetch(`${serverUrl}/hooks/${hook.id}`, { method: 'POST', body: JSON.stringify({ text }) + rest });
    const text = unique('replayed');
    assert.equal((await send(text)).status, 200);
    const count = async () =>
      (await postsIn(scene.admin, scene.channel.id)).filter(({ message }) => message === text).length;
    await console.visit('replay', async (page) => {
      const show = () => page.getByRole('row').nth(1).getByRole('button').click();
      await go(page, `/incoming/${hook.id}?tab=calls`);
      await show();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Replay' }).click();
      await dialog.getByRole('status').getByText('Sent again. It posted one message.').waitFor();
      assert.equal(await count(), 2);
      assert.equal((await send(unique('long'), ' '.repeat(70_000))).status, 200);
      await page.keyboard.press('Escape');
      await page.getByRole('cell', { name: /^70\d{3} bytes$/ }).waitFor();
      await show();
      await dialog.getByText('cannot be replayed').waitFor();
      assert.equal(await dialog.getByRole('button', { name: 'Replay' }).count(), 0);
    });
  });

  test('copying reports its result, and keeps the focus', () =>
    console.visit('copy', async (page) => {
      await go(page, `/incoming/${scene.hook.id}`);
      const copy = buttonOf(page, 'Copy the URL');
      await copy.waitFor();
      await asWithoutTls(page);
      await copy.click();
      await copy.getByText('Copied').waitFor();
      assert.ok(await copy.evaluate((one) => one.matches(':focus')));
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), scene.hookUrl);
      await copy.getByText('Copy', { exact: true }).waitFor();
      await page.evaluate('document.execCommand = () => false; undefined');
      await copy.click();
      await copy.getByText('Could not copy').waitFor();
      assert.ok(await copy.evaluate((one) => one.matches(':focus')));
    }));

  test('copies a secret from a dialog without TLS', () =>
    console.visit('copy-dialog', async (page) => {
      await go(page, `/people/${scene.me.id}`);
      await buttonOf(page, 'Add a token').click();
      await asWithoutTls(page);
      await page.getByLabel('Purpose').fill('Copied.');
      await buttonOf(page, 'Create').click();
      const token = await page.getByLabel('the token', { exact: true }).innerText();
      await buttonOf(page, 'Copy the token').click();
      await page.getByText('Copied', { exact: true }).waitFor();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), token);
    }));

  test('required fields are reported next to the field, in a dialog whose buttons stay visible', () =>
    console.visit('required', async (page) => {
      await page.setViewportSize({ width: 1280, height: 500 });
      await open(page, 'Outgoing webhooks');
      await buttonOf(page, 'Add a webhook').first().click();
      const dialog = page.getByRole('dialog');
      const name = dialog.getByLabel('Name', { exact: true });
      await name.waitFor();
      const isInSight = async (one) => {
        const { y, height } = await one.boundingBox();
        return y >= 0 && y + height <= 500;
      };
      for (const button of ['Close', 'Cancel', 'Add'])
        assert.ok(await isInSight(dialog.getByRole('button', { name: button, exact: true })), button);
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.getByRole('alert').filter({ hasText: 'Name is required.' }).waitFor();
      assert.equal(await name.getAttribute('aria-invalid'), 'true');
      assert.ok(await name.evaluate((one) => one.matches(':focus')));
      await name.fill('x');
      await dialog.getByText('Name is required.').waitFor({ state: 'detached' });
      const question = page.getByRole('dialog', { name: 'Discard your changes?' });
      await page.goBack();
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await question.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Go to' }).fill('Endpoints');
      await page.getByRole('option', { name: 'Endpoints' }).first().waitFor();
      await page.keyboard.press('Enter');
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await question.waitFor({ state: 'detached' });
      assert.equal(await name.inputValue(), 'x');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await buttonOf(page, 'Discard').click();
      await dialog.waitFor({ state: 'detached' });

      await go(page, '/people');
      await buttonOf(page, 'Add a person').click();
      await dialog.getByLabel('Email').fill('nobody');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.getByText('This is not an email address.').waitFor();
    }));

  test('filters keep the focus, and a webhook can be typed whose name starts with that of another', async () => {
    const short = unique('ci');
    for (const name of [short, `${short} nightly`])
      await console.hookFor({ display_name: name, trigger_words: [name] });
    await console.visit('filters', async (page) => {
      await go(page, '/deliveries');
      const field = page.getByLabel('Webhook', { exact: true });
      const chips = page.getByRole('list', { name: 'Filters that are set' });
      await field.focus();
      await page.locator(`option[value="${short}"]`).waitFor({ state: 'attached' });
      await field.pressSequentially(`${short} nightly`);
      await chips.getByText(`Webhook: ${short} nightly`).waitFor();
      await field.pressSequentially(short);
      await field.press('Enter');
      await chips.getByText(`Webhook: ${short} ×`).waitFor();
      await page.getByText('More filters').click();
      const answer = page.getByLabel('Answer');
      await answer.fill('5xx');
      await answer.press('Enter');
      await chips.getByText('Answer: 5xx').waitFor();
      assert.ok(await answer.evaluate((one) => one.matches(':focus')));
    });
  });

  test('unreadable data is reported, not omitted', () =>
    console.visit('unread', async (page) => {
      const fault = { status: 400, json: { id: 'broken', message: 'It is broken.', status_code: 400 } };
      await page.route(/hooks.outgoing.(endpoints|deliveries.stats)|channels.[a-z0-9]+.posts/, (route) =>
        route.fulfill(fault),
      );
      await page.reload();
      const main = page.getByRole('main');
      const day = main.getByRole('region', { name: 'Calls of the last 24 hours' });
      await day.getByText('It is broken.').waitFor();
      await main.getByRole('alert').filter({ hasText: 'It is broken.' }).nth(1).waitFor();
      const steps = main.getByRole('region', { name: 'First steps' });
      await steps.getByText('It is broken.').waitFor({ state: 'attached' });
      assert.equal(await steps.getByText('No messages yet.').count(), 0);
      await open(page, 'Endpoints');
      await main.getByText('It is broken.').waitFor();
      assert.equal(await page.getByText('No endpoints match').count(), 0);
    }));

  test('late data is shown with its age, and so is data without a count', () =>
    console.visit('late', async (page) => {
      const oldest = Date.now() - 3_600_000;
      const late = { overdue_count: 2, oldest_due_at: oldest };
      const counts = { total_count: 0, failing_count: 0, disabled_count: 0 };
      await page.route('**/hooks/outgoing/endpoints?*', (route) =>
        route.fulfill({ json: { endpoints: [], ...counts, ...late } }),
      );
      await page.route('**/hooks/outgoing/deliveries?*per_page=200*', (route) =>
        route.fulfill({
          json: { deliveries: Array(200).fill({ create_at: oldest }), next_cursor: 'more' },
        }),
      );
      await page.reload();
      const told = page.getByText(/Deliveries to 2 endpoints are overdue; the first was due 1 hour ago/);
      await told.waitFor();
      await go(page, '/system');
      await told.waitFor();
      await page
        .getByText(/200 or more calls of outgoing webhooks are waiting; the console counts no further/)
        .waitFor();
      await page.getByRole('link', { name: 'Show the longest waiting' }).click();
      await page.waitForURL(new RegExp(`status=pending.*before=.*${oldest + 1}`));
    }));

  test('times update, every second at first, and the first hour of a day is not its 25th', async () => {
    const hook = await scene.admin.createIncomingWebhook({ channel_id: scene.channel.id });
    const hour = new Date().getUTCHours();
    const timezoneId = `Etc/GMT${hour > 12 ? `-${24 - hour}` : `+${hour}`}`; // where it is just past midnight
    const act = async (page) => {
      await page.clock.install();
      await go(page, `/incoming/${hook.id}`);
      await page.reload();
      const created = page.locator('dl.facts > dd').last().getByRole('time');
      await created.waitFor();
      await page.getByText('admin', { exact: true }).nth(1).waitFor(); // the last one that arrives and redraws the page
      const said = await created.innerText();
      await page.clock.fastForward('00:03');
      await eventually('other seconds', async () => (await created.innerText()) !== said, 10_000);
      await page.clock.fastForward('02:00:00');
      await created.getByText('2 hours ago').waitFor();
      await go(page, '/system?tab=audits');
      const done = page.getByRole('region', { name: 'Audit log' }).getByRole('time').first();
      assert.match(await done.getAttribute('title'), / (?:UTC|GMT\S*)$/);
      assert.equal(await page.getByRole('time').filter({ hasText: / 24:/ }).count(), 0);
    };
    await console.visit('times', act, { locale: 'en-US', timezoneId });
  });
});
