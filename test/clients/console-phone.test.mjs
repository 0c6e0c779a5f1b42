/** The console at the width of a phone, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { axeOn, openConsole, seriousFaults } from './support/console.mjs';
import { serverUrl, unique } from './support/scene.mjs';

const PHONE = { viewport: { width: 390, height: 844 } };
const PAGES = {
  '/': 'Home',
  '/channels': 'Channels',
  '/incoming': 'Incoming webhooks',
  '/outgoing': 'Outgoing webhooks',
  '/deliveries': 'Deliveries',
  '/endpoints': 'Endpoints',
  '/connections': 'Secure connections',
  '/people': 'People',
  '/teams': 'Teams',
  '/system': 'System',
};

describe('the console on a phone', () => {
  let console;

  before(async () => {
    console = await openConsole('phone');
  });
  after(() => console?.close());

  const menuOf = (page, expanded) => page.getByRole('button', { name: 'Menu', expanded });
  const linkTo = (page, name) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });

  test('has the page list behind a button', () =>
    console.visit(
      'menu',
      async (page) => {
        await menuOf(page, false).waitFor();
        assert.ok((await page.getByRole('navigation', { name: 'Pages' }).boundingBox()).height < 64);
        await page.getByText('Connected', { exact: true }).waitFor();
        assert.equal(await linkTo(page, 'Deliveries').count(), 0);
        await menuOf(page, false).press('Enter');
        await menuOf(page, true).waitFor();
        await page.getByRole('button', { name: 'Sign out' }).waitFor();
        assert.deepEqual((await axeOn(page).include('nav').analyze()).violations, []);
        const ofPages = page.getByRole('navigation', { name: 'Pages' });
        assert.equal(await ofPages.evaluate((one) => globalThis.getComputedStyle(one).position), 'sticky');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Escape');
        await linkTo(page, 'Deliveries').waitFor({ state: 'hidden' });
        assert.ok(await menuOf(page, false).evaluate((one) => one.matches(':focus')));
        await page.keyboard.press('Enter');
        await linkTo(page, 'Deliveries').click();
        await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
        await linkTo(page, 'Deliveries').waitFor({ state: 'hidden' });
        assert.ok(await menuOf(page, false).evaluate((one) => one.matches(':focus')));
        await page.keyboard.press('Enter');
        await menuOf(page, true).waitFor();
        await page.goBack();
        await menuOf(page, false).waitFor();
      },
      PHONE,
    ));

  test('has no serious accessibility violation', () =>
    console.visit(
      'faults',
      async (page) => {
        for (const [address, title] of Object.entries(PAGES)) {
          await page.goto(`${serverUrl}/#${address}`);
          await page.getByRole('heading', { level: 1, name: title }).waitFor();
          await page.locator('.loading').first().waitFor({ state: 'detached' });
          const ofPlaces = axeOn(page).disableRules(['color-contrast']); // as on a wide screen
          assert.deepEqual(await seriousFaults(ofPlaces), [], address);
        }
      },
      PHONE,
    ));

  test('wraps a long title', async () => {
    const { admin } = console.scene;
    const title = 'W'.repeat(64);
    const team = await admin.createTeam({ name: unique('long'), display_name: title, type: 'O' });
    await console.visit(
      'title',
      async (page) => {
        await page.goto(`${serverUrl}/#/teams/${team.id}`);
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        assert.equal(await page.locator('html').evaluate((whole) => whole.scrollWidth), PHONE.viewport.width);
      },
      PHONE,
    );
  });

  test('shows rows as cards with their state, and large touch targets', async () => {
    const { admin, channel, team } = console.scene;
    const name = unique('card');
    await admin.createOutgoingWebhook({
      ...{ team_id: team.id, channel_id: channel.id, display_name: name },
      ...{ trigger_words: [name], callback_urls: [console.receiver.url] },
    });
    await admin.createPost({ channel_id: channel.id, message: name });
    await console.visit(
      'cards',
      async (page) => {
        await page.goto(`${serverUrl}/#/outgoing`);
        const row = page.getByRole('row').filter({ hasText: name });
        const state = await row.getByText('active', { exact: true }).boundingBox();
        const title = await row.getByRole('link', { name }).boundingBox();
        assert.ok(state.x > title.x + title.width && state.x + state.width <= PHONE.viewport.width);
        assert.ok(Math.abs(state.y - title.y) < 10);
        assert.equal(
          await row
            .getByRole('cell', { name: channel.display_name })
            .evaluate((cell) => globalThis.getComputedStyle(cell, '::before').content),
          '"Where"',
        );
        await page.goto(`${serverUrl}/#/deliveries`);
        const box = await page
          .getByRole('checkbox', { name: /^Select the/ })
          .first()
          .boundingBox();
        assert.ok(Math.min(box.width, box.height) >= 40);
        const wide = await page.locator('html').evaluate((whole) => whole.scrollWidth);
        assert.equal(wide, PHONE.viewport.width);
      },
      PHONE,
    );
  });

  test('has no such button on a wide screen', () =>
    console.visit('desktop', async (page) => {
      await linkTo(page, 'Deliveries').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Menu' }).count(), 0);
    }));
});
