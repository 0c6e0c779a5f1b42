/** Every page of the console in Chromium: accessible, harmless with scripts in all texts, and usable on a phone. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { buildPlaces, visitAll } from './support/console-places.mjs';
import {
  assertHarmless,
  axeOn,
  button,
  go,
  hasFocus,
  heading,
  HOSTILE,
  hostileAttachments,
  PHONE,
  rowOf,
  seriousFaults,
  seriousFaultsBelow,
  useConsole,
} from './support/console.mjs';
import { serverUrl, unique } from './support/scene.mjs';

describe('the console: accessibility', () => {
  const console = useConsole();
  const { visit } = console;

  /** The page follows the system by a script. */
  async function useTheme(page, colorScheme) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  }

  /**
   * Checks light colours, then what can differ in dark ones. Of a dialog only the dialog is checked, because the rest
   * is inaccessible.
   */
  async function assertFree(page, place) {
    const isDialog = (await page.getByRole('dialog').count()) > 0;
    const below = isDialog ? '[role=dialog]' : 'html';
    await useTheme(page, 'light');
    const ofLight = isDialog ? seriousFaultsBelow(page, below) : seriousFaults(axeOn(page));
    assert.deepEqual(await ofLight, [], place);
    await useTheme(page, 'dark');
    assert.deepEqual(await seriousFaultsBelow(page, below, ['color-contrast']), [], `${place}, dark`);
  }

  test('has no serious violation anywhere, light or dark', async () => {
    const { user, password, places } = await buildPlaces(console, { name: 'Looked at', text: 'To look at.' });
    await visit((page) => visitAll(page, places, 'Looked at', (place) => assertFree(page, place)), {
      username: user.username,
      password,
      isTraced: false,
    });
  });

  test('has none on the login page', () =>
    visit(
      async (page) => {
        await page.getByLabel('Password').waitFor();
        await assertFree(page, 'signing in');
      },
      { signsIn: false },
    ));
});

/** The longest part that fits into a name, with the first script complete; and into the name of a view. */
const NAME = HOSTILE.slice(0, 64);
const SHORT_NAME = '<img src=x onerror=alert(1)>';
const SIGN = '<img src=x onerror';

describe('the console: hostile', () => {
  const console = useConsole();
  const { receiver, visit, incomingHookFor } = console;

  before(() => Object.assign(receiver, { text: HOSTILE, headers: { 'X-Hostile': HOSTILE } }));

  test('everywhere, including all dialogs', async () => {
    const { user, password, places } = await buildPlaces(console, {
      ...{ name: NAME, text: HOSTILE, sign: SIGN, viewName: SHORT_NAME },
    });
    const hook = await incomingHookFor({ display_name: NAME });
    const post = (payload) =>
      fetch(`${serverUrl}/hooks/${hook.id}`, { method: 'POST', body: JSON.stringify(payload) });
    const posted = await post({ text: HOSTILE, username: '<b>x</b>', attachments: hostileAttachments });
    assert.equal(posted.status, 200);
    await visit(
      async (page) => {
        let dialogs = '';
        page.on('dialog', (dialog) => {
          dialogs += dialog.message();
          void dialog.dismiss();
        });
        await visitAll(page, places, NAME, (place) => assertHarmless(page, place));
        await go(page, `/incoming/${hook.id}?tab=test`);
        await page
          .getByLabel('Payload')
          .fill(JSON.stringify({ text: HOSTILE, attachments: hostileAttachments }));
        await page.locator('.preview').getByText(SIGN).first().waitFor();
        await assertHarmless(page, 'the preview');
        assert.equal(dialogs, '');
      },
      { username: user.username, password },
    );
  });
});

const PAGES = {
  ...{ '/': 'Overview', '/channels': 'Channels', '/incoming': 'Incoming webhooks' },
  ...{ '/outgoing': 'Outgoing webhooks', '/deliveries': 'Deliveries', '/endpoints': 'Endpoints' },
  ...{ '/connections': 'Secure connections', '/people': 'People', '/teams': 'Teams' },
  ...{ '/audit': 'Audit log', '/system': 'System' },
};

describe('the console: log', () => {
  const { visit } = useConsole();

  test('has no error on a visit of all pages, and each has a title of its own', () =>
    visit(async (page, _context, { logged }) => {
      for (const [address, title] of Object.entries({ ...PAGES, '/account': 'Your account' })) {
        await go(page, address);
        await heading(page, title).waitFor();
        await page.waitForLoadState('networkidle');
        assert.equal(await page.title(), `${title} – Hookline`);
      }
      assert.deepEqual(logged, []);
    }));

  test('has none before the login', () =>
    visit(
      async (page, _context, { logged }) => {
        await page.getByLabel('Password').waitFor();
        await page.waitForLoadState('networkidle');
        assert.deepEqual(logged, []);
      },
      { signsIn: false },
    ));
});

describe('the console: phone', () => {
  const { scene, visit, hookFor, say } = useConsole();

  const menuOf = (page, expanded) => page.getByRole('button', { name: 'Menu', exact: true, expanded });
  const linkTo = (page, name) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });

  test('has the page list behind a button', () =>
    visit(async (page) => {
      await menuOf(page, false).waitFor();
      assert.ok((await page.getByRole('banner').boundingBox()).height < 64);
      await page.getByText('Connected', { exact: true }).waitFor();
      assert.equal(await linkTo(page, 'Deliveries').count(), 0);
      await menuOf(page, false).press('Enter');
      await menuOf(page, true).waitFor();
      await button(page, 'Account menu').waitFor();
      assert.deepEqual(
        (await axeOn(page).include('#pages').include('.mantine-AppShell-header').analyze()).violations,
        [],
      );
      const header = page.getByRole('banner');
      assert.equal(await header.evaluate((one) => globalThis.getComputedStyle(one).position), 'fixed');
      await linkTo(page, 'Deliveries').focus();
      await page.keyboard.press('Escape');
      await linkTo(page, 'Deliveries').waitFor({ state: 'hidden' });
      assert.ok(await hasFocus(menuOf(page, false)));
      await page.keyboard.press('Enter');
      await linkTo(page, 'Deliveries').click();
      await heading(page, 'Deliveries').waitFor();
      await linkTo(page, 'Deliveries').waitFor({ state: 'hidden' });
      assert.ok(await hasFocus(menuOf(page, false)));
      await page.keyboard.press('Enter');
      await menuOf(page, true).waitFor();
      await page.goBack();
      await menuOf(page, false).waitFor();
    }, PHONE));

  test('has no serious accessibility violation', () =>
    visit(async (page) => {
      for (const [address, title] of Object.entries(PAGES)) {
        await go(page, `${address}`);
        await heading(page, title).waitFor();
        await page.locator('.loading').first().waitFor({ state: 'detached' });
        const ofPlaces = axeOn(page).disableRules(['color-contrast']); // as on a wide screen
        assert.deepEqual(await seriousFaults(ofPlaces), [], address);
      }
    }, PHONE));

  test('wraps a long title', async () => {
    const { admin } = scene;
    const title = 'W'.repeat(64);
    const team = await admin.createTeam({ name: unique('long'), display_name: title, type: 'O' });
    await visit(async (page) => {
      await go(page, `/teams/${team.id}`);
      await heading(page, title).waitFor();
      assert.equal(await page.locator('html').evaluate((whole) => whole.scrollWidth), PHONE.viewport.width);
    }, PHONE);
  });

  test('shows rows as cards with their state, and large touch targets', async () => {
    const { display_name: name, trigger_words: words } = await hookFor();
    await say(words[0]);
    await visit(async (page) => {
      await go(page, '/outgoing');
      const row = rowOf(page, name);
      const state = await row.getByText('Active', { exact: true }).boundingBox();
      const title = await row.getByRole('link', { name }).boundingBox();
      assert.ok(state.x > title.x + title.width && state.x + state.width <= PHONE.viewport.width);
      assert.ok(Math.abs(state.y - title.y) < 10);
      assert.equal(
        await row
          .getByRole('cell', { name: scene.channel.display_name })
          .evaluate(
            (cell) => globalThis.getComputedStyle(cell, '::before').content !== 'none' && cell.dataset.title,
          ),
        'Channel',
      );
      await go(page, '/deliveries');
      const box = await page
        .locator('label', { has: page.getByRole('checkbox', { name: /^Select the/ }) })
        .first()
        .boundingBox();
      assert.ok(Math.min(box.width, box.height) >= 40);
      const wide = await page.locator('html').evaluate((whole) => whole.scrollWidth);
      assert.equal(wide, PHONE.viewport.width);
    }, PHONE);
  });
});
