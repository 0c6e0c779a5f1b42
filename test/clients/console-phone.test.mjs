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

  test('has the list of pages behind a button', () =>
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

  test('has no serious fault of accessibility', () =>
    console.visit(
      'faults',
      async (page) => {
        for (const [address, title] of Object.entries(PAGES)) {
          await page.goto(`${serverUrl}/#${address}`);
          await page.getByRole('heading', { level: 1, name: title }).waitFor();
          await page.locator('.loading').first().waitFor({ state: 'detached' });
          const ofPlaces = axeOn(page).disableRules(['color-contrast']); // as where it is wide
          assert.deepEqual(await seriousFaults(ofPlaces), [], address);
        }
      },
      PHONE,
    ));

  test('breaks a long title', async () => {
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

  test('has no such button where the list has room', () =>
    console.visit('desktop', async (page) => {
      await linkTo(page, 'Deliveries').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Menu' }).count(), 0);
    }));
});
