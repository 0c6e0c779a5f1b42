/** Every place of the console, in Chromium, as axe judges it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { axeOn, openConsole, seriousFaults, seriousFaultsBelow } from './support/console.mjs';
import { buildPlaces, lookAround } from './support/console-places.mjs';

/** Colours are at once what they will be. */
const STILL = { reducedMotion: 'reduce' };

describe('the accessibility of the console', () => {
  let console;

  before(async () => {
    console = await openConsole('accessibility');
  });
  after(() => console?.close());

  /** Light, and then what may be otherwise in the dark. Of a dialog nothing else is looked at: nobody gets at the rest. */
  async function assertFree(page, place) {
    const isDialog = (await page.getByRole('dialog').count()) > 0;
    const below = isDialog ? '[role=dialog]' : 'html';
    await page.emulateMedia({ colorScheme: 'light' });
    const ofLight = isDialog ? seriousFaultsBelow(page, below) : seriousFaults(axeOn(page));
    assert.deepEqual(await ofLight, [], place);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await seriousFaultsBelow(page, below, ['color-contrast']), [], `${place}, dark`);
  }

  test('has no serious fault of accessibility anywhere, light or dark', async () => {
    const { user, password, places } = await buildPlaces(console, { name: 'Looked at', text: 'To look at.' });
    await console.visit(
      'places',
      (page) => lookAround(page, places, 'Looked at', (place) => assertFree(page, place)),
      { username: user.username, password, isTraced: false, ...STILL },
    );
  });

  test('nor where one signs in', () =>
    console.visit(
      'sign-in',
      async (page) => {
        await page.getByLabel('Password').waitFor();
        await assertFree(page, 'signing in');
      },
      { signsIn: false, ...STILL },
    ));
});
