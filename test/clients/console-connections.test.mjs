/** Secure connections in the console: two servers, each with an administrator at its console, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import {
  axeOn,
  button,
  choose,
  copied,
  exactButton,
  fillIn,
  gone,
  hasFocus,
  heading,
  open,
  pressAndConfirm,
  rowOf,
  seriousFaults,
  useConsole,
} from './support/console.mjs';
import { startRunningServer } from './support/running-server.mjs';
import { unique } from './support/scene.mjs';

const LISTED = 'Secure connections';

describe('the console: connections', () => {
  const { scene, visit } = useConsole();

  let other;
  before(async () => {
    other = await startRunningServer();
  });
  after(() => other?.stop());

  const direction = (where, name) => where.getByRole('group', { name });
  const there = (act) => visit(act, { url: other.url, password: other.adminPassword });

  /** Opens the page of one connection, from the list. */
  async function openConnection(page, name) {
    await open(page, 'Connections', LISTED);
    await page.getByRole('link', { name }).click();
    await heading(page, name).waitFor();
  }

  async function invite(page, name) {
    await open(page, 'Connections', LISTED);
    await button(page, 'Invite a server').click();
    await page.getByLabel('Name').fill(name);
    await button(page, 'Create an invite').click();
    const textOf = (label) => page.getByLabel(label, { exact: true }).innerText();
    return { invite: await textOf('the invite'), password: await textOf('the password') };
  }

  async function accept(page, name, { invite: text, password }) {
    await page.getByLabel('Name').fill(name);
    await page.getByRole('textbox', { name: 'Invite' }).fill(text);
    await fillIn(page, { Password: password }, 'Accept');
  }

  test('an invite is accepted on the other console, both are online, a channel is shared, and the deletion is shown', () =>
    visit(async (page) => {
      const [theirs, ours] = [unique('office'), unique('home')];
      const given = await invite(page, theirs);
      const dialog = page.getByRole('dialog');
      await dialog.getByText('waiting for the other server').waitFor();
      await dialog.getByText(/expires in 1 day 23 hours/).waitFor();
      await button(page, 'Copy the invite').click();
      assert.equal(await copied(page), given.invite);

      await there(async (far) => {
        await open(far, 'Connections', LISTED);
        await button(far, 'Accept an invite').click();
        await accept(far, ours, { ...given, password: 'not the password' });
        const password = far.getByLabel('Password').locator('xpath=ancestor::div[contains(@class,"field")]');
        await password.getByText(/does not open this invite/).waitFor();
        await password.getByText(/cannot be decrypted with this password/).waitFor();
        await password.getByText(/^Request/).waitFor();
        const field = far.getByLabel('Password');
        assert.equal(await field.getAttribute('aria-invalid'), 'true');
        assert.ok(await hasFocus(field));
        await fillIn(far, { Password: given.password }, 'Accept');
        await heading(far, ours).waitFor();
        await far.getByText('Online', { exact: true }).waitFor();

        // The wizard of the inviter has noticed it and has pinged.
        await dialog.getByText('Online', { exact: true }).waitFor();
        await direction(dialog, 'From here to there').getByText('Reached', { exact: true }).waitFor();
        await dialog.getByText(/Clocks in sync, within/).waitFor();
        await page.keyboard.press('Escape');
        await openConnection(page, theirs);

        await button(page, 'Share a channel').click();
        await choose(page.getByRole('combobox', { name: 'Channel' }), scene.channel.display_name);
        await exactButton(page, 'Share').click();
        const row = rowOf(page, scene.channel.display_name);
        await row.getByText('accepted').waitFor();
        await far
          .getByRole('row')
          .filter({ hasText: scene.channel.display_name })
          .getByText('accepted')
          .waitFor();

        await button(far, 'Check now').click();
        await direction(far, 'From here to there').getByText('Reached', { exact: true }).waitFor();
        await direction(far, 'From there to here')
          .getByText(/Last called/)
          .waitFor();
        assert.deepEqual((await new AxeBuilder({ page: far }).analyze()).violations, []);

        await pressAndConfirm(row, 'Stop sharing');
        await gone(row);

        await button(page, 'Disconnect').click();
        await page.getByText(/The other server is not notified/).waitFor();
        await button(page.getByRole('dialog'), 'Disconnect').click();
        await heading(page, LISTED).waitFor();
        await gone(page.getByRole('link', { name: theirs }));
        await button(far, 'Check now').click();
        await direction(far, 'From here to there').getByText('Not reached').waitFor();
        await far.getByText(/does not know this connection/).waitFor();
      });
    }));

  test('a connection that was not accepted is renamed, invited again and withdrawn', () =>
    visit(async (page) => {
      const name = unique('branch');
      await invite(page, name);
      await page.keyboard.press('Escape');
      await openConnection(page, name);
      await button(page, 'Edit').click();
      await page.getByLabel('Name').fill(`${name} two`);
      await button(page, 'Save').click();
      await heading(page, `${name} two`).waitFor();
      await button(page, 'New invite').click();
      await button(page, 'Create a new invite').click();
      await page.getByLabel('the password', { exact: true }).waitFor();
      const again = await page.getByLabel('the invite', { exact: true }).innerText();
      const password = await page.getByLabel('the password', { exact: true }).innerText();
      await page.keyboard.press('Escape');

      // An own invite is not a connection to another server.
      await open(page, 'Connections', LISTED);
      await button(page, 'Accept an invite').click();
      await accept(page, 'itself', { invite: again, password });
      await page.getByText('This invite was created by this server.').waitFor();
      await page.getByRole('textbox', { name: 'Invite' }).fill('no invite');
      await exactButton(page, 'Accept').click();
      await page.getByText('This is not a complete invite.').waitFor();
      assert.equal(await page.getByLabel('Password').inputValue(), password);

      // A key does not discard typed text.
      const asked = page.getByRole('dialog', { name: 'Discard your changes?' });
      await page.keyboard.press('Escape');
      await button(asked, 'Keep editing').waitFor();
      assert.deepEqual(await seriousFaults(axeOn(page)), []);
      await page.keyboard.press('Enter'); // it has the focus
      await gone(asked);
      assert.equal(await page.getByRole('textbox', { name: 'Invite' }).inputValue(), 'no invite');
      await button(page, 'Cancel').click();
      await button(asked, 'Discard').click();
      await gone(page.getByRole('dialog'));

      const row = rowOf(page, `${name} two`);
      await button(row, 'Withdraw').click();
      await page.getByText(/The invite for .* is withdrawn/).waitFor();
      await button(page.getByRole('dialog'), 'Withdraw').click();
      await gone(row);
    }));
});
