/** Dialogs and forms of the console lose no input, and ask for confirmation only when necessary (Chromium). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { open, openConsole } from './support/console.mjs';
import { buildUser, eventually, serverUrl, unique, userPassword } from './support/scene.mjs';

const REFUSAL = { status: 403, json: { id: 'test', message: 'Refused by the test.', status_code: 403 } };

describe('the dialogs of the console', () => {
  let console, scene, visit;

  before(async () => {
    console = await openConsole('dialogs');
    ({ scene, visit } = console);
  });
  after(() => console?.close());

  const inDialog = (page, name) => page.getByRole('dialog').getByRole('button', { name, exact: true });

  test('stay open while a form is sent, and show why it was refused', () =>
    visit('sent', async (page) => {
      const name = unique('sent');
      let refuse;
      const isRefused = new Promise((resolve) => (refuse = resolve));
      await page.route('**/api/v4/teams', async (route) => {
        await isRefused;
        await route.fulfill(REFUSAL);
      });
      await open(page, 'Teams');
      await page.getByRole('button', { name: 'Add a team' }).click();
      const field = page.getByLabel('Name', { exact: true });
      await field.fill(name);
      await inDialog(page, 'Add').click();
      await inDialog(page, 'One moment…').waitFor();
      await page.keyboard.press('Escape');
      assert.ok(await inDialog(page, 'Cancel').isDisabled());
      assert.ok(await inDialog(page, 'Close').isDisabled());
      refuse();
      await page.getByRole('dialog').getByText('Refused by the test.').waitFor();
      assert.equal(await field.inputValue(), name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'Discard your changes?' }).waitFor();
      await inDialog(page, 'Discard').click();
      await field.waitFor({ state: 'detached' });
    }));

  test('do not ask for confirmation if there is no text to discard, or if it is saved', () =>
    visit('typed', async (page) => {
      await page.route(`**/api/v4/hooks/incoming/${scene.hook.id}`, (route) =>
        route.request().method() === 'DELETE' ? route.fulfill(REFUSAL) : route.continue(),
      );
      await page.goto(`${serverUrl}/#/incoming/${scene.hook.id}`);
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await inDialog(page, 'Delete').click();
      await page.getByRole('dialog').getByText('Refused by the test.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      const post = await console.say('What do you think?');
      await page.goto(`${serverUrl}/#/channels?channel=${scene.channel.id}&thread=${post.id}`);
      const reply = page.getByRole('dialog').getByLabel('Write a reply');
      await reply.fill('I think');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.goto(`${serverUrl}/#/channels?channel=${scene.channel.id}&thread=${post.id}`);
      await reply.waitFor();
      assert.equal(await reply.inputValue(), 'I think');
    }));

  test('let an administrator who is in no channel of the team change its webhooks', async () => {
    const { user } = await buildUser(scene.admin, 'boss');
    await scene.admin.updateUserRoles(user.id, 'system_user system_admin');
    const name = unique('changed');
    const hook = await console.hookFor();
    const act = async (page) => {
      await page.goto(`${serverUrl}/#/outgoing/${hook.id}`);
      await page.getByText('another channel').waitFor();
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name);
      await inDialog(page, 'Save').click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    };
    await visit('boss', act, { username: user.username, password: userPassword });
    const changed = await scene.admin.getOutgoingWebhook(hook.id);
    assert.deepEqual([changed.display_name, changed.channel_id], [name, scene.channel.id]);
  });

  test('change only the administrator role of a user', async () => {
    const { user } = await buildUser(scene.admin, 'roles');
    const other = 'system_user_access_token';
    await scene.admin.updateUserRoles(user.id, `system_user ${other}`);
    const rolesAre = (...roles) =>
      eventually('the roles', async () => {
        const now = (await scene.admin.getUser(user.id)).roles.split(' ');
        return JSON.stringify(now.toSorted()) === JSON.stringify(roles.toSorted());
      });
    await visit('roles', async (page) => {
      await page.goto(`${serverUrl}/#/people/${user.id}`);
      const make = async (role) => {
        await page.getByRole('button', { name: 'Change the role' }).click();
        await page.getByRole('combobox', { name: 'Role' }).selectOption(role);
        await inDialog(page, 'Save').click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      };
      await make('administrator');
      await rolesAre('system_admin', 'system_user', other);
      await make('member');
      await rolesAre('system_user', other);
    });
  });

  test('describe a field by its hint and by its error', () =>
    visit('hints', async (page) => {
      await open(page, 'People');
      await page.getByRole('button', { name: 'Add a person' }).click();
      const dialog = page.getByRole('dialog');
      const hinted = dialog
        .locator('.field')
        .filter({ has: page.locator('small') })
        .first();
      const hint = await hinted.locator('small').innerText();
      const control = hinted.locator('input, select, textarea').first();
      const description = () =>
        control.evaluate((element) =>
          (element.getAttribute('aria-describedby') ?? '')
            .split(' ')
            .map((id) => element.ownerDocument.getElementById(id)?.textContent)
            .join(' '),
        );
      await control.waitFor();
      assert.equal(await description(), hint);
      await inDialog(page, 'Add').click();
      await hinted.locator('.fault').waitFor();
      const wrong = await hinted.locator('.fault').innerText();
      assert.equal(await description(), `${wrong} ${hint}`);
    }));
});
