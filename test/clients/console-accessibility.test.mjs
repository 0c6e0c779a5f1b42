/** Checks every page of the console with axe, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { axeOn, openConsole, seriousFaults, seriousFaultsBelow } from './support/console.mjs';
import { buildPlaces, lookAround } from './support/console-places.mjs';

/** Skips colour transitions. */
const STILL = { reducedMotion: 'reduce' };

describe('the accessibility of the console', () => {
  let console;

  before(async () => {
    console = await openConsole('accessibility');
  });
  after(() => console?.close());

  /**
   * Checks light colours, then what can differ in dark ones. Of a dialog only the dialog is checked, because the rest
   * is inaccessible.
   */
  async function assertFree(page, place) {
    const isDialog = (await page.getByRole('dialog').count()) > 0;
    const below = isDialog ? '[role=dialog]' : 'html';
    await page.emulateMedia({ colorScheme: 'light' });
    const ofLight = isDialog ? seriousFaultsBelow(page, below) : seriousFaults(axeOn(page));
    assert.deepEqual(await ofLight, [], place);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await seriousFaultsBelow(page, below, ['color-contrast']), [], `${place}, dark`);
  }

  test('has no serious violation anywhere, light or dark', async () => {
    const { user, password, places } = await buildPlaces(console, { name: 'Looked at', text: 'To look at.' });
    await console.visit(
      'places',
      (page) => lookAround(page, places, 'Looked at', (place) => assertFree(page, place)),
      { username: user.username, password, isTraced: false, ...STILL },
    );
  });

  test('has none on the login page', () =>
    console.visit(
      'sign-in',
      async (page) => {
        await page.getByLabel('Password').waitFor();
        await assertFree(page, 'signing in');
      },
      { signsIn: false, ...STILL },
    ));
});
