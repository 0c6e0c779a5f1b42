/** The endpoint pages of the console, and live deliveries, in Chromium. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { button, exactButton, go, gone, heading, open, rowOf, useConsole } from './support/console.mjs';
import { eventually, unique } from './support/scene.mjs';

describe('the console: endpoints', () => {
  const { receiver, visit, hookFor, say } = useConsole();

  const [word, elsewhere, name] = ['fires', 'elsewhere', 'called'].map(unique);
  let origin, hook;
  before(async () => {
    ({ origin } = new URL(receiver.url));
    hook = await hookFor({ display_name: name, trigger_words: [word] });
    await hookFor({ trigger_words: [elsewhere], callback_urls: ['http://127.0.0.1:9/'] });
  });
  const fire = () => say(word);

  const rowsOf = (page) => page.getByRole('list', { name: 'Deliveries' }).getByRole('button');

  test('adds new deliveries, and waits while paused', () =>
    visit(async (page) => {
      await fire();
      for (const question of ['', '?status=failed', `?endpoint=${encodeURIComponent(origin)}`]) {
        await go(page, `/deliveries${question}`);
        await exactButton(page, 'Live').waitFor();
      }
      await rowsOf(page).first().waitFor();
      assert.equal(await exactButton(page, 'Live').count(), 1);
      const count = await rowsOf(page).count();
      await fire();
      await rowsOf(page).nth(count).waitFor();
      await exactButton(page, 'Live').click();
      await page.getByText('Paused', { exact: true }).waitFor();
      await say(elsewhere);
      await fire();
      await button(page, '1 new').waitFor();
      assert.equal(await rowsOf(page).count(), count + 1);
      await button(page, '1 new').click();
      await rowsOf(page)
        .nth(count + 1)
        .waitFor();
      await exactButton(page, 'Live').waitFor();
    }));

  test('does not move the list during a selection or further down, and follows again afterwards', () =>
    visit(async (page) => {
      for (let count = 0; count < 16; count++) await fire();
      await go(page, `/outgoing/${hook.id}?tab=deliveries`);
      const list = page.getByRole('list', { name: 'Deliveries' });
      const heightOf = () => list.evaluate((frame) => frame.scrollHeight);
      const grown = async (height) => eventually('a new row', async () => (await heightOf()) > height);
      const following = exactButton(page, 'Live');
      const newOnes = button(page, /new$/);
      await rowsOf(page).nth(12).waitFor();
      await following.waitFor();
      let height = await heightOf();
      await fire();
      await grown(height);
      const check = list.getByRole('checkbox').first();
      await check.check();
      await page.getByText('Paused while selecting').waitFor();
      height = await heightOf();
      await fire();
      await button(page, '1 new').waitFor();
      assert.equal(await heightOf(), height);
      await button(page, '1 new').click();
      await grown(height);
      await button(page, 'Resend 1').waitFor();
      height = await heightOf();
      await fire();
      await newOnes.waitFor();
      await button(page, 'Clear the selection').click();
      await grown(height);
      await gone(newOnes);
      await following.waitFor();

      await list.evaluate((frame) => frame.scrollTo(0, 100));
      await page.getByText('Paused while scrolled down').waitFor();
      height = await heightOf();
      await fire();
      await newOnes.waitFor();
      assert.equal(await heightOf(), height);
      await list.evaluate((frame) => frame.scrollTo(0, 0));
      await grown(height);
      await gone(newOnes);
      await following.waitFor();
    }));

  test('shows why an endpoint is disabled, and enables its webhooks again', () =>
    visit(async (page) => {
      const word = unique('second');
      const second = await hookFor({ display_name: unique('second'), trigger_words: [word] });
      const begun = Date.now();
      receiver.status = 410;
      await fire();
      await say(word);
      const attention = page.getByRole('region', { name: 'Needs attention' });
      const concern = rowOf(attention, name);
      await concern.getByRole('link', { name: origin, exact: true }).waitFor();
      assert.equal(await concern.count(), 1);
      await open(page, 'Endpoints');
      await page.getByLabel('Search endpoints').fill(origin.slice(7));
      await button(page, 'Filter').click();
      await page.getByRole('menuitem', { name: 'State' }).hover();
      await page.getByRole('menuitem', { name: 'Disabled' }).click();
      const row = rowOf(page, origin);
      await row.getByText('2 of 2 URLs disabled').waitFor();
      await row.getByText(name).waitFor();
      await row.getByRole('link', { name: origin }).click();
      await heading(page, origin).waitFor();
      const failed = page.getByRole('link', { name: 'Show failures' });
      assert.match(await failed.getAttribute('href'), /status=failed(%2C|,)retrying/);
      await page.getByRole('img', { name: /^Attempts:/ }).waitFor();
      await page.getByText('7 d', { exact: true }).click();
      await page.getByRole('img', { name: 'Response times: 7 d' }).waitFor();
      const limits = page.getByRole('region', { name: 'Concurrency' });
      await limits.getByText('Failed or timed out').waitFor();
      const found = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(
        found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
        [],
      );
      await limits.getByText('fails or hangs').first().waitFor();
      receiver.status = 200;
      const enabling = `**/hooks/outgoing/${second.id}/enable`;
      await page.route(enabling, (route) => route.fulfill({ status: 409, json: { message: 'Not now.' } }));
      const main = page.getByRole('main');
      await main.getByRole('region', { name: 'Webhooks' }).getByText(name).waitFor();
      await button(main, 'Enable again').click();
      await main.getByText('1 webhook is enabled again. 1 of 2 could not be:').waitFor();
      const refused = main.getByRole('listitem').filter({ hasText: second.display_name });
      await refused.getByText('Not now.').waitFor();
      await page.unroute(enabling);
      await button(main, 'Enable again').click();
      await page.getByText('active').first().waitFor();
      await gone(button(main, 'Enable again'));

      await button(main, 'Resend missed deliveries').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Missed since').fill(localTime(begun - 1_000));
      await button(dialog, 'Preview').click();
      await dialog.getByText('2 deliveries have failed or were cancelled since then.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('main').getByRole('link', { name: 'Deliveries', exact: true }).click();
      await heading(page, 'Deliveries').waitFor();
      await page.getByRole('group', { name: 'Filters' }).getByText(origin).waitFor();
    }));
});

/** In the format of a date and time field. */
function localTime(at) {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
