/** Invites in the console, and the reasons why they are refused, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { open, openConsole } from './support/console.mjs';
import { unique } from './support/scene.mjs';

describe('the server pages of the console', () => {
  let console;
  let visit;

  before(async () => {
    console = await openConsole('server');
    ({ visit } = console);
  });
  after(() => console?.close());

  test('invites a server, and says why an invite is refused', () =>
    visit('connections', async (page) => {
      await open(page, 'Secure connections');
      await page.getByRole('button', { name: 'Invite a server' }).click();
      const name = unique('peer');
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Create an invite' }).click();
      const invite = page.getByLabel('the invite', { exact: true });
      assert.ok((await invite.innerText()).length > 100);
      await page.getByRole('dialog').getByText('waiting for the other server').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Accept an invite' }).click();
      await page.getByLabel('Name').fill(unique('other'));
      await page.getByLabel('Invite', { exact: true }).fill('no invite');
      await page.getByLabel('Password').fill('some password of theirs');
      await page.getByRole('button', { name: 'Accept', exact: true }).click();
      await page.getByRole('alert').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Discard' }).click();
      const row = page.getByRole('row').filter({ hasText: name });
      await row.getByRole('button', { name: 'Withdraw' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
      await row.waitFor({ state: 'detached' });
    }));
});
