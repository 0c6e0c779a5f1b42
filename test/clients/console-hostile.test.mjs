/** The console in Chromium, with scripts in names, texts, payloads and replies. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertHarmless, HOSTILE, hostileAttachments, openConsole } from './support/console.mjs';
import { buildPlaces, lookAround } from './support/console-places.mjs';
import { serverUrl } from './support/scene.mjs';

/** The longest part that fits into a name, with the first script complete; and into the name of a view. */
const NAME = HOSTILE.slice(0, 64);
const SHORT_NAME = '<img src=x onerror=alert(1)>';
const SIGN = '<img src=x onerror';

describe('the console shows scripts as text', () => {
  let console;

  before(async () => {
    console = await openConsole('hostile');
    console.receiver.text = HOSTILE;
    console.receiver.headers = { 'X-Hostile': HOSTILE };
  });
  after(() => console?.close());

  test('everywhere, including all dialogs', async () => {
    const { channel, admin } = console.scene;
    const { user, password, places } = await buildPlaces(console, {
      ...{ name: NAME, text: HOSTILE, sign: SIGN, viewName: SHORT_NAME },
    });
    const hook = await admin.createIncomingWebhook({ channel_id: channel.id, display_name: NAME });
    const post = (payload) =>
      fetch(`${serverUrl}/hooks/${hook.id}`, { method: 'POST', body: JSON.stringify(payload) });
    const posted = await post({ text: HOSTILE, username: '<b>x</b>', attachments: hostileAttachments });
    assert.equal(posted.status, 200);
    await console.visit(
      'places',
      async (page) => {
        let dialogs = '';
        page.on('dialog', (dialog) => {
          dialogs += dialog.message();
          void dialog.dismiss();
        });
        await lookAround(page, places, NAME, (place) => assertHarmless(page, place));
        await page.goto(`${serverUrl}/#/incoming/${hook.id}`);
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
