/** The console's pages of endpoints, and deliveries as they come, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { open, openConsole } from './support/console.mjs';
import { serverUrl, unique } from './support/scene.mjs';

describe('the pages of endpoints in the console', () => {
  let console;
  let scene;
  let visit;
  let origin;
  let name;
  let fire;
  let fireElsewhere;

  before(async () => {
    console = await openConsole('endpoints');
    ({ scene, visit } = console);
    ({ origin } = new URL(console.receiver.url));
    name = unique('called');
    const word = unique('fires');
    await scene.admin.createOutgoingWebhook({
      team_id: scene.team.id,
      channel_id: scene.channel.id,
      display_name: name,
      trigger_words: [word],
      callback_urls: [console.receiver.url],
    });
    fire = () => scene.admin.createPost({ channel_id: scene.channel.id, message: word });
    const other = unique('elsewhere');
    await scene.admin.createOutgoingWebhook({
      team_id: scene.team.id,
      channel_id: scene.channel.id,
      display_name: other,
      trigger_words: [other],
      callback_urls: ['http://127.0.0.1:9/'],
    });
    fireElsewhere = () => scene.admin.createPost({ channel_id: scene.channel.id, message: other });
  });
  after(() => console?.close());

  const rowsOf = (page) => page.getByRole('list', { name: 'Deliveries' }).getByRole('button');

  test('adds deliveries as they come, and waits while it is paused', () =>
    visit('tail', async (page) => {
      await fire();
      for (const question of ['', '?status=failed', `?endpoint=${encodeURIComponent(origin)}`]) {
        await page.goto(`${serverUrl}/#/deliveries${question}`);
        await page.getByText('New deliveries appear by themselves.').first().waitFor();
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

  test('shows an endpoint that is given up, why, and enables its webhooks again', () =>
    visit('given-up', async (page) => {
      console.receiver.status = 410;
      await fire();
      await page
        .getByRole('region', { name: 'Endpoints that fail' })
        .getByRole('link', { name: origin })
        .waitFor();
      await open(page, 'Endpoints');
      await page.getByLabel('Search endpoints').fill(origin.slice(7));
      await page.getByLabel('State').selectOption('disabled');
      const row = page.getByRole('row').filter({ hasText: origin });
      await row.getByText('1 of 1 address given up').waitFor();
      await row.getByText(name).waitFor();
      await row.getByRole('link', { name: origin }).click();
      await page.getByRole('heading', { level: 1, name: origin }).waitFor();
      await page.getByRole('img', { name: /^Calls:/ }).waitFor();
      await page.getByRole('button', { name: 'A week' }).click();
      await page.getByRole('img', { name: 'How long answers took: A week' }).waitFor();
      const limits = page.getByRole('region', { name: 'Limit of calls' });
      await limits.getByText('Answered with a failure, or not in time').waitFor();
      const found = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(
        found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
        [],
      );
      console.receiver.status = 200;
      await page.getByRole('button', { name: 'Enable again' }).click();
      await page.getByText('active').first().waitFor();
      await page.getByRole('button', { name: 'Enable again' }).waitFor({ state: 'detached' });
      await page.getByRole('main').getByRole('link', { name: 'Deliveries', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
      assert.equal(await page.getByLabel('Endpoint').inputValue(), origin);
    }));
});
