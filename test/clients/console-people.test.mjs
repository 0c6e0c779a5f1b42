/** The pages of users, bots, tokens and teams in the console, in Chromium, as an administrator uses them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { open, openConsole, signIn } from './support/console.mjs';
import { serverUrl, unique } from './support/scene.mjs';

describe('the pages of users and teams in the console', () => {
  let console;
  let scene;
  let visit;

  before(async () => {
    console = await openConsole('people');
    ({ scene, visit } = console);
  });
  after(() => console?.close());

  const button = (page, name) => page.getByRole('button', { name, exact: true });
  const inDialog = (page, name) => page.getByRole('dialog').getByRole('button', { name, exact: true });

  test('add a user, who signs in; change the role, and deactivate', async () => {
    const username = unique('ann');
    const password = 'a first password';
    await visit('person', async (page, context) => {
      await open(page, 'People');
      await button(page, 'Add a person').click();
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Email').fill(`${username}@example.com`);
      await page.getByLabel('First password').fill('short');
      await inDialog(page, 'Add').click();
      await page
        .getByRole('dialog')
        .getByRole('alert')
        .filter({ hasText: /password/i })
        .waitFor();
      assert.equal(await page.getByLabel('Username').inputValue(), username);
      await page.getByLabel('First password').fill(password);
      await inDialog(page, 'Add').click();
      await page.getByRole('heading', { level: 1, name: username }).waitFor();
      const other = await context.browser().newContext();
      const theirs = await other.newPage();
      await theirs.goto(serverUrl);
      await signIn(theirs, username, password);
      await other.close();
      await button(page, 'Edit').click();
      await page.getByLabel('First name').fill('Ann');
      await page.getByLabel('Email').fill(scene.me.email);
      await inDialog(page, 'Save').click();
      const email = page.locator('.field').filter({ has: page.getByLabel('Email') });
      await email.getByText('an account with this address already exists').waitFor();
      await page.getByLabel('Email').fill(`${username}@example.org`);
      await inDialog(page, 'Save').click();
      await page
        .getByRole('definition')
        .filter({ hasText: `${username}@example.org` })
        .waitFor();
      await page.getByRole('definition').filter({ hasText: /^Ann$/ }).waitFor();
      await button(page, 'Change the role').click();
      await page.getByRole('combobox', { name: 'Role' }).selectOption('administrator');
      await inDialog(page, 'Save').click();
      await page.getByRole('definition').filter({ hasText: 'administrator' }).waitFor();
      await button(page, 'Deactivate').click();
      await inDialog(page, 'Deactivate').click();
      await page.getByText('deactivated').waitFor();
      await open(page, 'People');
      await page.getByLabel('Search people').fill(username);
      await page.getByRole('row').filter({ hasText: username }).getByText('deactivated').waitFor();
    });
    const refused = await fetch(`${serverUrl}/api/v4/users/login`, {
      method: 'POST',
      body: JSON.stringify({ login_id: username, password }),
    });
    assert.equal(refused.status, 401);
  });

  test('create a bot with a token that is shown once, and revoke it', () =>
    visit('bot', async (page) => {
      const username = unique('bot');
      await open(page, 'People');
      await page.getByRole('tab', { name: 'Bots' }).click();
      await button(page, 'Add a bot').click();
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Purpose').fill('Deploys.');
      await inDialog(page, 'Add').click();
      await page.getByRole('heading', { level: 1, name: username }).waitFor();
      await button(page, 'Edit').click();
      await page.getByLabel('Purpose').fill('Deploys, and reports it.');
      await inDialog(page, 'Save').click();
      await page.getByRole('definition').filter({ hasText: 'Deploys, and reports it.' }).waitFor();
      await button(page, 'Add a token').click();
      await page.getByLabel('Purpose').fill('The build server.');
      await inDialog(page, 'Create').click();
      const token = await page.getByLabel('the token', { exact: true }).innerText();
      const me = () =>
        fetch(`${serverUrl}/api/v4/users/me`, { headers: { Authorization: `Bearer ${token}` } });
      assert.equal((await (await me()).json()).username, username);
      await page.keyboard.press('Escape');
      const row = page.getByRole('row').filter({ hasText: 'The build server.' });
      await row.waitFor();
      assert.equal(await page.getByText(token).count(), 0);
      await row.getByRole('button', { name: 'Disable' }).click();
      await inDialog(page, 'Disable').click();
      await row.getByText('disabled').waitFor();
      assert.equal((await me()).status, 401);
      await row.getByRole('button', { name: 'Revoke' }).click();
      await inDialog(page, 'Revoke').click();
      await row.waitFor({ state: 'detached' });
    }));

  test('create a team with a channel and a member, archive and restore it', async () => {
    const username = unique('member');
    await scene.admin.createUser({
      username,
      email: `${username}@example.com`,
      password: 'a first password',
    });
    await visit('team', async (page) => {
      const name = unique('Team');
      await open(page, 'Teams');
      await button(page, 'Add a team').click();
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('In URLs').fill(scene.team.name);
      await inDialog(page, 'Add').click();
      await page.getByRole('dialog').getByRole('alert').waitFor();
      await page.getByLabel('In URLs').fill('');
      await inDialog(page, 'Add').click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await button(page, 'Add a channel').click();
      await page.getByLabel('Name').fill('Builds');
      await page.getByLabel('In URLs').fill('town-square');
      await inDialog(page, 'Add').click();
      const address = page.getByLabel('In URLs');
      await page.locator('.field').filter({ has: address }).getByRole('alert').waitFor();
      assert.equal(await address.getAttribute('aria-invalid'), 'true');
      await address.fill('');
      await inDialog(page, 'Add').click();
      const channel = page.getByRole('row').filter({ hasText: 'Builds' });
      await channel.waitFor();
      await channel.getByRole('button', { name: 'Archive' }).click();
      await inDialog(page, 'Archive').click();
      await channel.getByText('archived').waitFor();
      await page.getByRole('tab', { name: 'Members' }).click();
      await button(page, 'Add a member').click();
      await page.getByLabel('Name').fill(username);
      await button(page, `Add ${username}`).click();
      await page.getByRole('status').getByText(`${username} is in the team.`).waitFor();
      assert.ok(await page.getByLabel('Name').evaluate((one) => one.matches(':focus')));
      await page.keyboard.press('Escape');
      const member = page.getByRole('row').filter({ hasText: username });
      for (const [name, role] of [
        ['Make an administrator', 'administrator'],
        ['Make a member', 'member'],
      ]) {
        await member.getByRole('button', { name }).click();
        await inDialog(page, name).click();
        await member.getByRole('cell').nth(1).getByText(role, { exact: true }).waitFor();
      }
      await member.getByRole('button', { name: 'Remove' }).click();
      await inDialog(page, 'Remove').click();
      await member.waitFor({ state: 'detached' });
      await button(page, 'Archive').click();
      await inDialog(page, 'Archive').click();
      await button(page, 'Restore').click();
      await inDialog(page, 'Restore').click();
      await button(page, 'Edit').waitFor();
    });
  });

  test('the channels of a team load a hundred at a time, and a truncated list says so', () =>
    visit('many', async (page) => {
      const channels = (number) =>
        Array.from({ length: 200 }, (_, n) => ({
          ...scene.channel,
          ...{ id: `${200 * number + n}`.padStart(26, 'c'), display_name: `channel no. ${200 * number + n}` },
        }));
      await page.route(/teams.[a-z0-9]+.channels(.private|.deleted)?\?/, (route) => {
        const { pathname, searchParams } = new URL(route.request().url());
        const isOpen = pathname.endsWith('channels');
        return route.fulfill({ json: isOpen ? channels(Number(searchParams.get('page'))) : [] });
      });
      await page.goto(`${serverUrl}/#/teams/${scene.team.id}`);
      await page.getByText(/Lists are limited to 10.000 entries/).waitFor();
      const rows = page.locator('tbody tr');
      assert.equal(await rows.count(), 100);
      await rows.last().scrollIntoViewIfNeeded();
      await page.getByText('channel no. 199', { exact: true }).waitFor();
    }));
});
