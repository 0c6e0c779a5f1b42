/** The endpoint pages of the console, and live deliveries, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { open, openConsole } from './support/console.mjs';
import { eventually, serverUrl, unique } from './support/scene.mjs';

describe('the endpoint pages of the console', () => {
  let console;
  let scene;
  let visit;
  let origin;
  let name;
  let hook;
  let fire;
  let fireElsewhere;

  before(async () => {
    console = await openConsole('endpoints');
    ({ scene, visit } = console);
    ({ origin } = new URL(console.receiver.url));
    name = unique('called');
    const word = unique('fires');
    hook = await console.hookFor({ display_name: name, trigger_words: [word] });
    fire = () => scene.admin.createPost({ channel_id: scene.channel.id, message: word });
    const other = unique('elsewhere');
    await console.hookFor({
      display_name: other,
      trigger_words: [other],
      callback_urls: ['http://127.0.0.1:9/'],
    });
    fireElsewhere = () => scene.admin.createPost({ channel_id: scene.channel.id, message: other });
  });
  after(() => console?.close());

  const rowsOf = (page) => page.getByRole('list', { name: 'Deliveries' }).getByRole('button');

  test('adds new deliveries, and waits while paused', () =>
    visit('tail', async (page) => {
      await fire();
      for (const question of ['', '?status=failed', `?endpoint=${encodeURIComponent(origin)}`]) {
        await page.goto(`${serverUrl}/#/deliveries${question}`);
        await page.getByText('New deliveries appear automatically.').first().waitFor();
      }
      await rowsOf(page).first().waitFor();
      assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 1);
      const count = await rowsOf(page).count();
      await fire();
      await rowsOf(page).nth(count).waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('Paused.').waitFor();
      await fireElsewhere();
      await fire();
      await page.getByRole('button', { name: '1 new' }).waitFor();
      assert.equal(await rowsOf(page).count(), count + 1);
      await page.getByRole('button', { name: '1 new' }).click();
      await rowsOf(page)
        .nth(count + 1)
        .waitFor();
      await page.getByRole('button', { name: 'Pause' }).waitFor();
    }));

  test('does not move the list during a selection or further down, and follows again afterwards', () =>
    visit('held', async (page) => {
      for (let count = 0; count < 16; count++) await fire();
      await page.goto(`${serverUrl}/#/outgoing/${hook.id}?tab=deliveries`);
      const list = page.getByRole('list', { name: 'Deliveries' });
      const heightOf = () => list.evaluate((frame) => frame.scrollHeight);
      const grown = async (height) => eventually('a new row', async () => (await heightOf()) > height);
      const following = page.getByText('New deliveries appear automatically.');
      const newOnes = page.getByRole('button', { name: /new$/ });
      await rowsOf(page).nth(12).waitFor();
      await following.waitFor();
      let height = await heightOf();
      await fire();
      await grown(height);
      const check = list.getByRole('checkbox').first();
      await check.check();
      await page.getByText('Paused while deliveries are selected.').waitFor();
      height = await heightOf();
      await fire();
      await page.getByRole('button', { name: '1 new' }).waitFor();
      assert.equal(await heightOf(), height);
      await page.getByRole('button', { name: '1 new' }).click();
      await grown(height);
      await page.getByRole('button', { name: 'Send 1 again' }).waitFor();
      height = await heightOf();
      await fire();
      await newOnes.waitFor();
      await page.getByRole('button', { name: 'Select none' }).click();
      await grown(height);
      await newOnes.waitFor({ state: 'detached' });
      await following.waitFor();

      await list.evaluate((frame) => frame.scrollTo(0, 100));
      await page.getByText('Scroll to the top to resume.').waitFor();
      height = await heightOf();
      await fire();
      await newOnes.waitFor();
      assert.equal(await heightOf(), height);
      await list.evaluate((frame) => frame.scrollTo(0, 0));
      await grown(height);
      await newOnes.waitFor({ state: 'detached' });
      await following.waitFor();
    }));

  test('shows why an endpoint is disabled, and enables its webhooks again', () =>
    visit('given-up', async (page) => {
      const word = unique('second');
      const second = await console.hookFor({ display_name: unique('second'), trigger_words: [word] });
      const begun = Date.now();
      console.receiver.status = 410;
      await fire();
      await scene.admin.createPost({ channel_id: scene.channel.id, message: word });
      const attention = page.getByRole('region', { name: 'Needs attention' });
      const concern = attention.getByRole('listitem').filter({ hasText: name });
      await concern.getByRole('link', { name: origin }).waitFor();
      assert.equal(await concern.count(), 1);
      await open(page, 'Endpoints');
      await page.getByLabel('Search endpoints').fill(origin.slice(7));
      await page.getByLabel('State').selectOption('disabled');
      const row = page.getByRole('row').filter({ hasText: origin });
      await row.getByText('2 of 2 URLs disabled').waitFor();
      await row.getByText(name).waitFor();
      await row.getByRole('link', { name: origin }).click();
      await page.getByRole('heading', { level: 1, name: origin }).waitFor();
      const failed = page.getByRole('link', { name: 'What failed' });
      assert.match(await failed.getAttribute('href'), /status=failed(%2C|,)retrying/);
      await page.getByRole('img', { name: /^Calls:/ }).waitFor();
      await page.getByRole('button', { name: 'A week' }).click();
      await page.getByRole('img', { name: 'How long answers took: A week' }).waitFor();
      const limits = page.getByRole('region', { name: 'Limit of calls' });
      await limits.getByText('Responded with an error, or too late').waitFor();
      const found = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(
        found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
        [],
      );
      await limits.getByText('fails or hangs').first().waitFor();
      console.receiver.status = 200;
      const enabling = `**/hooks/outgoing/${second.id}/enable`;
      await page.route(enabling, (route) => route.fulfill({ status: 409, json: { message: 'Not now.' } }));
      const webhooks = page.getByRole('region', { name: 'Webhooks' });
      await webhooks.getByRole('button', { name: 'Enable again' }).click();
      await webhooks.getByText('1 webhook is enabled again. 1 of 2 could not be:').waitFor();
      const refused = webhooks.getByRole('listitem').filter({ hasText: second.display_name });
      await refused.getByText('Not now.').waitFor();
      await page.unroute(enabling);
      await webhooks.getByRole('button', { name: 'Enable again' }).click();
      await page.getByText('active').first().waitFor();
      await webhooks.getByRole('button', { name: 'Enable again' }).waitFor({ state: 'detached' });

      console.receiver.received.length = 0;
      await webhooks.getByRole('button', { name: 'Send missed deliveries again' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Missed since').fill('2099-01-01T00:00:00');
      await dialog.getByRole('button', { name: 'Count' }).click();
      await dialog.getByText('Nothing has been missed since then.').waitFor();
      await dialog.getByLabel('Missed since').fill(localTime(begun - 1_000));
      await dialog.getByRole('button', { name: 'Count' }).click();
      await dialog.getByText('2 deliveries have failed or were cancelled since then.').waitFor();
      await dialog.getByRole('button', { name: 'Send 2 again' }).click();
      await webhooks.getByText('The last recovery is finished: 2 of 2 were sent again').waitFor();
      await eventually('both calls', () => console.receiver.received.length === 2);
      // One that keeps running: real ones end too soon.
      const stopped = [];
      await page.route('**/recover', async (route) => {
        const [latest] = await (await route.fetch()).json();
        const status = stopped.includes(latest.id) ? 'stopped' : 'running';
        await route.fulfill({ json: [{ ...latest, total: 9, requeued: 4, status }] });
      });
      await page.route('**/recover/*/stop', (route) => {
        stopped.push(route.request().url().split('/').at(-2));
        return route.fulfill({ json: {} });
      });
      await page.reload();
      await webhooks.getByText('8 of 18 are sent again.').waitFor();
      await webhooks.getByRole('button', { name: 'Stop' }).click();
      await webhooks.getByText('The last recovery was stopped: 8 of 18 were sent again').waitFor();
      assert.equal(stopped.length, 2);
      await page.getByRole('main').getByRole('link', { name: 'Deliveries', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
      assert.equal(await page.getByLabel('Endpoint').inputValue(), origin);
    }));
});

/** In the format of a date and time field. */
function localTime(at) {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
