/** The console in Chromium, by keyboard only. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openConsole } from './support/console.mjs';
import { unique } from './support/scene.mjs';

/** More rows than a page shows. */
const MAX_STOPS = 120;

describe('the console by the keyboard', () => {
  let console;
  let visit;

  before(async () => {
    console = await openConsole('keyboard');
    ({ visit } = console);
  });
  after(() => console?.close());

  async function tabTo(page, control) {
    await control.waitFor();
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      if (await control.evaluate((one) => one.matches(':focus'))) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`Cannot be reached: ${control}`);
  }

  async function press(page, name) {
    await tabTo(page, page.getByRole('button', { name, exact: true }));
    await page.keyboard.press('Enter');
  }

  async function type(page, label, text) {
    await tabTo(page, page.getByLabel(label, { exact: true }));
    await page.keyboard.type(text);
  }

  async function goTo(page, name, title) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  }

  const copied = (page) => page.evaluate(() => navigator.clipboard.readText());

  test('goes to a page, and searches there', () =>
    visit('search', async (page) => {
      await goTo(page, 'outg', 'Outgoing webhooks');
      await page.keyboard.press('/');
      await page.keyboard.type('abc');
      assert.equal(await page.getByLabel('Search webhooks').inputValue(), 'abc');
    }));

  test('handles console shortcuts on a checkbox too, and ignores other keys', async () => {
    const { admin, team, channel } = console.scene;
    const word = unique('word');
    await admin.createOutgoingWebhook({
      ...{ team_id: team.id, channel_id: channel.id, display_name: word },
      ...{ trigger_words: [word], callback_urls: [console.receiver.url] },
    });
    await admin.createPost({ channel_id: channel.id, message: word });
    await visit('checkbox', async (page) => {
      const slash = { key: '/', bubbles: true, cancelable: true };
      const isTaken = () =>
        page.evaluate((init) => {
          const { document, KeyboardEvent } = globalThis;
          return !document.body.dispatchEvent(new KeyboardEvent('keydown', init));
        }, slash);
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      assert.equal(await isTaken(), false);
      await goTo(page, 'deliv', 'Deliveries');
      assert.equal(await isTaken(), true);
      const box = page.getByRole('checkbox', { name: /^Select the/ }).first();
      await box.focus();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    });
  });

  test('completes the three first steps', () =>
    visit('steps', async (page) => {
      await press(page, 'Copy the first command');
      await page.getByText('Copied', { exact: true }).waitFor();
      const [url] = (await copied(page)).match(/http\S+$/);
      const text = unique('first');
      await fetch(url, { method: 'POST', body: JSON.stringify({ text }) });
      await page.getByText(text).waitFor();

      const name = unique('second');
      await goTo(page, 'outg', 'Outgoing webhooks');
      await press(page, 'Add a webhook');
      await type(page, 'Name', name);
      const word = unique('deploy');
      await tabTo(page, page.getByRole('combobox', { name: 'Channel' }));
      await page.keyboard.press('ArrowDown');
      await type(page, 'Trigger words, one per line', word);
      await type(page, 'URLs to call, one per line', console.receiver.url);
      await press(page, 'Add');
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await goTo(page, 'chan', 'Channels');
      const { received } = console.receiver;
      const before = received.length;
      await type(page, 'Write a message', word);
      await press(page, 'Send');
      await page.getByText(console.receiver.text).waitFor();
      assert.equal(received.length, before + 1);

      await goTo(page, 'secure', 'Secure connections');
      await press(page, 'Invite a server');
      await type(page, 'Name', unique('third'));
      await page.keyboard.press('Enter');
      await press(page, 'Copy the invite');
      await page.getByText('Copied', { exact: true }).waitFor();
      assert.ok((await copied(page)).length > 100);
    }));
});
