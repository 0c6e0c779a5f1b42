/** Secure connections in the console: two servers, each with an administrator at its console, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { axeOn, open, openConsole, seriousFaults } from './support/console.mjs';
import { startRunningServer } from './support/running-server.mjs';
import { unique } from './support/scene.mjs';

const LISTED = 'Secure connections';

describe('secure connections in the console', () => {
  let console;
  let other;

  before(async () => {
    [console, other] = await Promise.all([openConsole('connections'), startRunningServer()]);
  });
  after(async () => {
    await console?.close();
    await other?.stop();
  });

  const here = (test, act) => console.visit(test, act);
  const there = (test, act, options = {}) =>
    console.visit(test, act, { url: other.url, password: other.adminPassword, ...options });

  /** Opens the page of one connection, from the list. */
  async function openConnection(page, name) {
    await open(page, LISTED);
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }

  async function invite(page, name) {
    await open(page, LISTED);
    await page.getByRole('button', { name: 'Invite a server' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create an invite' }).click();
    const textOf = (label) => page.getByLabel(label, { exact: true }).innerText();
    return { invite: await textOf('the invite'), password: await textOf('the password') };
  }

  async function accept(page, name, { invite: text, password }) {
    await page.getByLabel('Name').fill(name);
    await page.getByRole('textbox', { name: 'Invite' }).fill(text);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
  }

  test('an invite is accepted on the other console, both are online, a channel is shared, and the deletion is shown', () =>
    here('inviter', async (page) => {
      const [theirs, ours] = [unique('office'), unique('home')];
      const given = await invite(page, theirs);
      const dialog = page.getByRole('dialog');
      await dialog.getByText('waiting for the other server').waitFor();
      await dialog.getByText(/expires in 1 day 23 hours/).waitFor();
      await page.getByRole('button', { name: 'Copy the invite' }).click();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), given.invite);

      await there('acceptor', async (far) => {
        await open(far, LISTED);
        await far.getByRole('button', { name: 'Accept an invite' }).click();
        await accept(far, ours, { ...given, password: 'not the password' });
        const password = far.getByLabel('Password').locator('xpath=ancestor::div[contains(@class,"field")]');
        await password.getByText(/does not open this invite/).waitFor();
        await password.getByText(/cannot be decrypted with this password/).waitFor();
        await password.getByText(/^Request/).waitFor();
        const field = far.getByLabel('Password');
        assert.equal(await field.getAttribute('aria-invalid'), 'true');
        assert.ok(await field.evaluate((one) => one.matches(':focus')));
        await far.getByLabel('Password').fill(given.password);
        await far.getByRole('button', { name: 'Accept', exact: true }).click();
        await far.getByRole('heading', { level: 1, name: ours }).waitFor();
        await far.getByText('online', { exact: true }).waitFor();

        // The wizard of the inviter has noticed it and has pinged.
        await dialog.getByText('online', { exact: true }).waitFor();
        await dialog.getByText('reached', { exact: true }).waitFor();
        await dialog.getByText(/the same, to within/).waitFor();
        await page.keyboard.press('Escape');
        await openConnection(page, theirs);

        await page.getByRole('button', { name: 'Share a channel' }).click();
        await page
          .getByRole('combobox', { name: 'Channel' })
          .selectOption({ label: console.scene.channel.display_name });
        await page.getByRole('button', { name: 'Share', exact: true }).click();
        const row = page.getByRole('row').filter({ hasText: console.scene.channel.display_name });
        await row.getByText('accepted').waitFor();
        await far
          .getByRole('row')
          .filter({ hasText: console.scene.channel.display_name })
          .getByText('accepted')
          .waitFor();

        await far.getByRole('button', { name: 'Check now' }).click();
        await far.getByText('reached', { exact: true }).waitFor();
        await far.getByText(/last called/).waitFor();
        assert.deepEqual((await new AxeBuilder({ page: far }).analyze()).violations, []);

        await row.getByRole('button', { name: 'Stop sharing' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Stop sharing' }).click();
        await row.waitFor({ state: 'detached' });

        await page.getByRole('button', { name: 'Disconnect' }).click();
        await page.getByText(/The other server is not notified/).waitFor();
        await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
        await page.getByRole('heading', { level: 1, name: LISTED }).waitFor();
        await page.getByRole('link', { name: theirs }).waitFor({ state: 'detached' });
        await far.getByRole('button', { name: 'Check now' }).click();
        await far.getByText('not reached').waitFor();
        await far.getByText(/does not know this connection/).waitFor();
      });
    }));

  test('more servers are listed than one response contains', () =>
    here('many', async (page) => {
      const peers = Array.from({ length: 230 }, (_, n) => ({
        ...{ remote_id: `${n}`.padStart(26, 'r'), display_name: `server no. ${n}`, standing: 'offline' },
        ...{ standing_since: 1, last_ping_at: 1, last_heard_at: 1, site_url: 'https://chat.example.com' },
      }));
      await page.route('**/api/v4/remotecluster?*', (route) => {
        const number = Number(new URL(route.request().url()).searchParams.get('page'));
        return route.fulfill({ json: peers.slice(200 * number, 200 * (number + 1)) });
      });
      await page.reload();
      await page.getByRole('heading', { name: /^Needs attention \(2\d\d\)/ }).waitFor();
      await open(page, 'Secure connections');
      const rows = page.locator('tbody tr');
      for (const count of [100, 200, 230]) {
        await rows.nth(count - 1).waitFor();
        assert.equal(await rows.count(), count);
        await rows.last().scrollIntoViewIfNeeded();
      }
    }));

  test('a connection that was not accepted is renamed, invited again and withdrawn', () =>
    here('renamed', async (page) => {
      const name = unique('branch');
      await invite(page, name);
      await page.keyboard.press('Escape');
      await openConnection(page, name);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Name').fill(`${name} two`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { level: 1, name: `${name} two` }).waitFor();
      await page.getByRole('button', { name: 'New invite' }).click();
      await page.getByRole('button', { name: 'Create a new invite' }).click();
      await page.getByLabel('the password', { exact: true }).waitFor();
      const again = await page.getByLabel('the invite', { exact: true }).innerText();
      const password = await page.getByLabel('the password', { exact: true }).innerText();
      await page.keyboard.press('Escape');

      // An own invite is not a connection to another server.
      await open(page, LISTED);
      await page.getByRole('button', { name: 'Accept an invite' }).click();
      await accept(page, 'itself', { invite: again, password });
      await page.getByText('This invite was created by this server.').waitFor();
      await page.getByRole('textbox', { name: 'Invite' }).fill('no invite');
      await page.getByRole('button', { name: 'Accept', exact: true }).click();
      await page.getByText('This is not a complete invite.').waitFor();
      assert.equal(await page.getByLabel('Password').inputValue(), password);

      // A key does not discard typed text.
      const asked = page.getByRole('dialog', { name: 'Discard your changes?' });
      await page.keyboard.press('Escape');
      await asked.getByRole('button', { name: 'Keep editing' }).waitFor();
      assert.deepEqual(await seriousFaults(axeOn(page)), []);
      await page.keyboard.press('Enter'); // it has the focus
      await asked.waitFor({ state: 'detached' });
      assert.equal(await page.getByRole('textbox', { name: 'Invite' }).inputValue(), 'no invite');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await asked.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Accept an invite' }).click();
      assert.equal(await page.getByRole('textbox', { name: 'Invite' }).inputValue(), '');
      await page.getByRole('button', { name: 'Cancel' }).click(); // nothing was typed
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      const row = page.getByRole('row').filter({ hasText: `${name} two` });
      await row.getByRole('button', { name: 'Withdraw' }).click();
      await page.getByText(/The invite for .* is withdrawn/).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
      await row.waitFor({ state: 'detached' });
    }));
});
