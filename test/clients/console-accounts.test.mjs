/** User and bot accounts in the console and their details, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { axeOn, endSessionAt, openConsole, seriousFaults, signIn } from './support/console.mjs';
import { buildUser, serverUrl, signIn as signInClient, unique, userPassword } from './support/scene.mjs';

describe('the accounts in the console', () => {
  let console, scene;

  before(async () => {
    console = await openConsole('accounts');
    scene = console.scene;
  });
  after(() => console?.close());

  const colorOf = (control) =>
    control.evaluate((one) => one.ownerDocument.defaultView.getComputedStyle(one).backgroundColor);
  const draft = (page) => page.getByLabel('Write a message');

  test('destructive actions are red, restoring ones are not', async () => {
    const { user } = await buildUser(scene.admin);
    await console.visit('tones', async (page) => {
      await page.goto(`${serverUrl}/#/people/${user.id}`);
      const colors = [];
      for (const name of ['Deactivate', 'Activate']) {
        await page.getByRole('button', { name, exact: true }).click();
        const confirm = page.getByRole('dialog').getByRole('button', { name, exact: true });
        colors.push(await colorOf(confirm));
        await confirm.click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      assert.notEqual(colors[0], colors[1]);
      await page.getByRole('button', { name: 'Add a token' }).click();
      assert.equal(await colorOf(page.getByRole('button', { name: 'Create' })), colors[1]);
    });
  });

  test('a bot is found in the user search, and is marked', async () => {
    const username = unique('robot');
    await scene.admin.createBot({ username, display_name: '', description: '' });
    await console.visit('bots', async (page) => {
      await page.goto(`${serverUrl}/#/people`);
      await page.getByLabel('Search people').fill(username);
      const row = page.getByRole('row').filter({ hasText: username });
      await row.getByText('bot', { exact: true }).waitFor();
      await page.getByLabel('Search people').fill('');
      await row.waitFor({ state: 'detached' });
      await page.getByLabel('Search people').fill(username);
      await row.getByRole('link', { name: username }).click();
      await page.getByRole('heading', { level: 1, name: username }).waitFor();
    });
  });

  test('a draft is not shown to the next user', async () => {
    const { user } = await buildUser(scene.admin, 'other');
    await scene.admin.addToTeam(scene.team.id, user.id);
    await scene.admin.addToChannel(user.id, scene.channel.id);
    await scene.admin.updateUserRoles(user.id, 'system_user system_admin');
    const hook = await scene.admin.createIncomingWebhook({ channel_id: scene.channel.id });
    const place = `${serverUrl}/#/channels?channel=${scene.channel.id}`;
    const payload = async (page) => {
      await page.goto(`${serverUrl}/#/incoming/${hook.id}`);
      await page.getByLabel('Payload').waitFor();
      return page.getByLabel('Payload');
    };
    await console.visit('drafts', async (page, context) => {
      await (await payload(page)).fill('{"text":"Of the administrator."}');
      await page.goto(place);
      await draft(page).fill('Of the administrator.');
      await context.clearCookies(); // the session is over, without a sign-out
      await page.reload();
      await signIn(page, user.username, userPassword);
      await draft(page).waitFor();
      assert.equal(await draft(page).inputValue(), '');
      await draft(page).fill('Of the other.');
      assert.doesNotMatch(await (await payload(page)).inputValue(), /Of the administrator/);
      await context.clearCookies();
      await page.reload();
      await signIn(page, scene.me.username, process.env.HOOKLINE_ADMIN_PASSWORD);
      assert.match(await (await payload(page)).inputValue(), /Of the administrator/);
      await page.goto(place);
      await draft(page).waitFor();
      assert.equal(await draft(page).inputValue(), 'Of the administrator.');
    });
  });

  test('a draft is not shown to a user who signs in after the session has ended', async () => {
    const { user } = await buildUser(scene.admin, 'next');
    await scene.admin.addToTeam(scene.team.id, user.id);
    await scene.admin.addToChannel(user.id, scene.channel.id);
    await console.visit('ended', async (page) => {
      await page.goto(`${serverUrl}/#/channels?channel=${scene.channel.id}`);
      await draft(page).fill('Of the administrator.');
      await endSessionAt(page, '**/api/v4/posts');
      await page.getByRole('button', { name: 'Send' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      assert.equal(await dialog.getByLabel('Username or email').isEditable(), false);
      await dialog.getByRole('button', { name: 'Use another account' }).click();
      await page.getByRole('heading', { level: 1, name: 'Hookline' }).waitFor();
      await signIn(page, user.username, userPassword);
      await page.getByRole('navigation').getByText(user.username).waitFor();
      await draft(page).waitFor();
      assert.equal(await draft(page).inputValue(), '');
    });
  });

  test('a member changes their names, address and password, and ends another session', async () => {
    const { user, client } = await buildUser(scene.admin, 'owner');
    await scene.admin.addToTeam(scene.team.id, user.id);
    await scene.admin.updateTeamMemberSchemeRoles(scene.team.id, user.id, true, true);
    const field = (page, label) =>
      page.locator('.field').filter({ has: page.getByLabel(label, { exact: true }) });
    const fact = (page, text) => page.getByRole('definition').filter({ hasText: text });
    const password = 'another password';
    const act = async (page) => {
      await page.getByRole('link', { name: `Your account, ${user.username}` }).click();
      await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
      assert.equal(await page.getByRole('heading', { name: 'Tokens' }).count(), 0);
      assert.deepEqual(await seriousFaults(axeOn(page)), []);

      const email = `${unique('new')}@example.com`;
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Username').fill(`${user.username}-2`);
      assert.equal(await page.getByLabel('Your password').count(), 0);
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Your password').fill('not the password');
      await page.getByRole('button', { name: 'Save' }).click();
      await field(page, 'Your password').getByRole('alert').waitFor();
      assert.equal(await page.getByLabel('Email').inputValue(), email);
      await page.getByLabel('Your password').fill(userPassword);
      await page.getByRole('button', { name: 'Save' }).click();
      await fact(page, email).waitFor();
      await page.getByRole('link', { name: `Your account, ${user.username}-2` }).waitFor();

      const other = await client.getSessions(user.id);
      assert.ok(other.length >= 2);
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByLabel('Current password').fill('not the password');
      await page.getByLabel('New password').fill(password);
      await page.getByRole('button', { name: 'Set password' }).click();
      await field(page, 'Current password').getByRole('alert').waitFor();
      await page.getByLabel('Current password').fill(userPassword);
      await page.getByLabel('New password').fill('short');
      await page.getByRole('button', { name: 'Set password' }).click();
      await field(page, 'New password').getByRole('alert').waitFor();
      assert.ok(await page.getByLabel('New password').evaluate((one) => one.matches(':focus')));
      await page.getByLabel('New password').fill(password);
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const sessions = page.getByRole('region', { name: 'Sessions' });
      await sessions.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
      const again = await signInClient(`${user.username}-2`, password);
      const newest = (await again.getSessions(user.id)).reduce((one, other) =>
        other.create_at > one.create_at ? other : one,
      );
      const where = [newest.props.browser, newest.props.os].filter(Boolean).join(', ') || 'not known';
      await page.reload();
      const row = sessions
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name: where, exact: true }) });
      await row.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await row.waitFor({ state: 'detached' });
      await assert.rejects(again.getMe());

      await page.getByRole('region', { name: 'Teams' }).getByText('administrator').waitFor();
      await page.getByRole('link', { name: scene.team.display_name }).click();
      await page.getByRole('row').filter({ hasText: scene.channel.display_name }).waitFor();
      await page.getByRole('tab', { name: 'Members' }).click();
      await page.getByRole('button', { name: 'Make a member' }).first().waitFor();
    };
    await console.visit('own', act, { username: user.username, password: userPassword });
  });

  test('a page requests the names of more accounts than one response contains', async () => {
    const asked = [];
    await console.visit('owners', async (page) => {
      const owners = Array.from({ length: 230 }, (_, n) => `${n}`.padStart(26, 'o'));
      await page.route('**/api/v4/users/ids', (route) => {
        const ids = route.request().postDataJSON();
        asked.push(ids.length);
        return route.fulfill({
          json: ids.map((id) => ({ id, username: `owner-${Number(id.slice(-3).replace(/o/g, ''))}` })),
        });
      });
      const hooks = owners.map((id, n) => ({
        ...scene.hook,
        ...{ id: `${n}`.padStart(26, 'h'), user_id: id, display_name: `made ${n}` },
      }));
      await page.route('**/api/v4/hooks/incoming?*', (route) => {
        const number = Number(new URL(route.request().url()).searchParams.get('page'));
        return route.fulfill({ json: hooks.slice(200 * number, 200 * (number + 1)) });
      });
      await page.goto(`${serverUrl}/#/incoming?search=owner-229`);
      await page.reload(); // Home has loaded the list without them
      await page.getByRole('cell', { name: 'owner-229' }).waitFor();
      assert.ok(
        asked.every((count) => count <= 200),
        `${asked}`,
      );
    });
  });
});
