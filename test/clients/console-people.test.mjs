/** The pages of users, bots, tokens and teams in the console, in Chromium. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  axeOn,
  button,
  chooseInAccountMenu,
  confirm,
  definition,
  endSessionAt,
  exactButton,
  fieldOf,
  fillIn,
  go,
  gone,
  hasFocus,
  heading,
  open,
  pressAndConfirm,
  rowOf,
  seriousFaults,
  signIn,
  useConsole,
} from './support/console.mjs';
import { serverUrl, unique, userPassword, signIn as signInClient } from './support/scene.mjs';

describe('the console: people and teams', () => {
  const { scene, visit, buildMember } = useConsole();

  const inDialog = (page, name) => exactButton(page.getByRole('dialog'), name);

  test('add a user, who signs in; change the role, and deactivate', async () => {
    const username = unique('ann');
    const password = 'a first password';
    await visit(async (page, context) => {
      await open(page, 'People');
      await button(page, 'Add a person').click();
      await page.getByLabel('Username').fill(username);
      await fillIn(page, { Email: `${username}@example.com`, 'First password': 'short' }, 'Add');
      await fieldOf(page, page.getByLabel('First password')).getByRole('alert').waitFor();
      assert.equal(await page.getByLabel('Username').inputValue(), username);
      await fillIn(page, { 'First password': password }, 'Add');
      await heading(page, username).waitFor();
      const other = await context.browser().newContext();
      const theirs = await other.newPage();
      await theirs.goto(serverUrl);
      await signIn(theirs, username, password);
      await other.close();
      await button(page, 'Edit').click();
      await fillIn(page, { 'First name': 'Ann', Email: scene.me.email }, 'Save');
      const email = fieldOf(page, page.getByLabel('Email'));
      await email.getByText('an account with this address already exists').waitFor();
      await fillIn(page, { Email: `${username}@example.org` }, 'Save');
      await definition(page, `${username}@example.org`).waitFor();
      await definition(page, /^Ann$/).waitFor();
      await pressAndConfirm(page, 'Make administrator');
      await definition(page, 'Administrator').waitFor();
      await exactButton(page, 'Deactivate').click();
      await exactButton(page, 'Activate').waitFor();
      await exactButton(page, 'Undo').click();
      await exactButton(page, 'Deactivate').click();
      await page.getByText('Deactivated', { exact: true }).waitFor();
      await open(page, 'People');
      await page.getByLabel('Search people').fill(username);
      await rowOf(page, username).getByText('Deactivated').waitFor();
    });
    const refused = await fetch(`${serverUrl}/api/v4/users/login`, {
      method: 'POST',
      body: JSON.stringify({ login_id: username, password }),
    });
    assert.equal(refused.status, 401);
  });

  test('create a bot with a token that is shown once, and revoke it', () =>
    visit(async (page) => {
      const username = unique('bot');
      await open(page, 'People');
      await page.getByRole('tab', { name: 'Bots' }).click();
      await button(page, 'Add a bot').click();
      await fillIn(page, { Username: username, Description: 'Deploys.' }, 'Add');
      await heading(page, username).waitFor();
      await button(page, 'Edit').click();
      await fillIn(page, { Description: 'Deploys, and reports it.' }, 'Save');
      await definition(page, 'Deploys, and reports it.').waitFor();
      await button(page, 'Create token').click();
      const dialog = page.getByRole('dialog');
      await fillIn(dialog, { Description: 'The build server.', Expires: '2001-01-01T00:00' }, 'Create token');
      const expires = page.getByLabel('Expires');
      await fieldOf(page, expires).getByRole('alert').waitFor();
      await fillIn(dialog, { Expires: '2099-01-01T00:00' }, 'Create token');
      const token = await page.getByLabel('the token', { exact: true }).innerText();
      const me = () =>
        fetch(`${serverUrl}/api/v4/users/me`, { headers: { Authorization: `Bearer ${token}` } });
      assert.equal((await (await me()).json()).username, username);
      await page.keyboard.press('Escape');
      const row = rowOf(page, 'The build server.');
      await row.waitFor();
      await row.getByText(/2099$/).waitFor();
      await row.getByText('never').waitFor(); // until the use is noted
      assert.equal(await page.getByText(token).count(), 0);
      await exactButton(row, 'Disable').click();
      await row.getByText('Disabled').waitFor();
      assert.equal((await me()).status, 401);
      await exactButton(page, 'Undo').click();
      await row.getByText('Active').waitFor();
      assert.equal((await me()).status, 200);
      await pressAndConfirm(row, 'Revoke');
      await gone(row);
    }));

  test('create a team with a channel and a member, archive and restore it', async () => {
    const username = unique('member');
    await scene.admin.createUser({ username, email: `${username}@example.com`, password: userPassword });
    await visit(async (page) => {
      const name = unique('Team');
      await open(page, 'Teams');
      await button(page, 'Add a team').click();
      await fillIn(page, { Name: name, 'In URLs': scene.team.name }, 'Add');
      await page.getByRole('dialog').getByRole('alert').waitFor();
      await fillIn(page, { 'In URLs': '' }, 'Add');
      await heading(page, name).waitFor();
      await button(page, 'Add a channel').click();
      await fillIn(page, { Name: 'Builds', 'In URLs': 'town-square' }, 'Add');
      const address = page.getByLabel('In URLs');
      await fieldOf(page, address).getByRole('alert').waitFor();
      assert.equal(await address.getAttribute('aria-invalid'), 'true');
      await address.fill('');
      await inDialog(page, 'Add').click();
      const channel = rowOf(page, 'Builds');
      await channel.waitFor();
      await pressAndConfirm(channel, 'Archive');
      await channel.getByText('Archived').waitFor();
      await page.getByRole('tab', { name: 'Members' }).click();
      await button(page, 'Add a member').click();
      await page.getByRole('combobox', { name: 'Name' }).fill(username);
      await page.getByRole('option', { name: username }).click();
      await page.getByRole('status').getByText(`${username} is in the team.`).waitFor();
      assert.ok(await hasFocus(page.getByRole('combobox', { name: 'Name' })));
      await page.keyboard.press('Escape');
      const member = rowOf(page, username);
      await changeRole(member);
      await pressAndConfirm(member, 'Remove');
      await gone(member);
      await exactButton(page, 'Archive').click();
      await exactButton(page, 'Restore').click();
      await button(page, 'Edit').waitFor();
    });
  });

  const changeRole = async (member) => {
    for (const [name, role] of [
      ['Make administrator', 'Administrator'],
      ['Make member', 'Member'],
    ]) {
      await exactButton(member, name).click();
      await member.getByRole('cell').nth(1).getByText(role, { exact: true }).waitFor();
    }
  };

  test('add a member to a channel, change the role, and remove it', async () => {
    const { user } = await buildMember();
    const name = unique('Channel');
    const channel = await scene.admin.createChannel({
      ...{ team_id: scene.team.id, name: unique('channel'), display_name: name, type: 'P' },
    });
    await visit(async (page) => {
      await go(page, `/teams/${scene.team.id}?kind=private`);
      await page.getByLabel('Search channels').fill(name);
      await rowOf(page, name).click();
      const drawer = page.getByRole('dialog', { name });
      await button(drawer, 'Add a member').click();
      await page.getByRole('combobox', { name: 'Name' }).fill(user.username);
      await page.getByRole('option', { name: user.username }).click();
      await page.getByRole('status').getByText(`${user.username} is in the channel.`).waitFor();
      await page.keyboard.press('Escape');
      const member = rowOf(drawer, user.username);
      await changeRole(member);
      await exactButton(member, 'Remove').click();
      await exactButton(page.getByRole('dialog', { name: `Remove ${user.username}` }), 'Remove').click();
      await gone(member);
      assert.deepEqual(await seriousFaults(axeOn(page)), []);
      await page.goBack();
      await gone(drawer);
    });
    assert.deepEqual(
      (await scene.admin.getChannelMembers(channel.id)).map(({ user_id: id }) => id),
      [scene.me.id],
    );
  });

  test('filters people, and opens one in a drawer', async () => {
    const { user } = await buildMember();
    const boss = await buildMember({ isAdmin: true });
    await scene.admin.updateUserActive(user.id, false);
    await visit(async (page) => {
      await go(page, '/people');
      await button(page, 'Filter').click();
      await page.getByRole('menuitem', { name: 'State' }).click();
      await page.getByRole('menuitem', { name: 'Deactivated' }).click();
      await page.waitForURL(/state=deactivated/);
      await page.getByLabel('Search people').fill('member');
      await rowOf(page, user.username).waitFor();
      await gone(rowOf(page, boss.user.username));
      await rowOf(page, user.username).getByText('Deactivated').click();
      const drawer = page.getByRole('dialog', { name: user.username });
      await definition(drawer, user.email).waitFor();
      assert.deepEqual(await seriousFaults(axeOn(page)), []);
      await exactButton(drawer, 'Activate').click();
      await exactButton(drawer, 'Deactivate').waitFor();
      await drawer.getByRole('link', { name: 'Open page' }).click();
      await heading(page, user.username).waitFor();
      await page.goBack();
      await page.goBack();
      await gone(drawer);
      await go(page, '/people?role=system_admin');
      await rowOf(page, scene.me.username).waitFor();
      assert.equal(await rowOf(page, user.username).count(), 0);
    });
  });
});

describe('the console: accounts', () => {
  const { scene, visit, incomingHookFor, buildMember } = useConsole();

  const draft = (page) => page.getByLabel('Write a message');

  test('a bot is found in the user search, and is marked', async () => {
    const username = unique('robot');
    await scene.admin.createBot({ username, display_name: '', description: '' });
    await visit(async (page) => {
      await go(page, '/people');
      await page.getByLabel('Search people').fill(username);
      const row = rowOf(page, username);
      await row.getByText('Bot', { exact: true }).waitFor();
      await page.getByLabel('Search people').fill('');
      await gone(row);
      await page.getByLabel('Search people').fill(username);
      await row.getByRole('link', { name: username }).click();
      await page.getByRole('dialog', { name: username }).getByRole('link', { name: 'Open page' }).click();
      await heading(page, username).waitFor();
    });
  });

  test('a draft is not shown to the next user', async () => {
    const { user } = await buildMember({ isAdmin: true });
    const hook = await incomingHookFor();
    const place = `${serverUrl}/#/channels?channel=${scene.channel.id}`;
    const payload = async (page) => {
      await go(page, `/incoming/${hook.id}?tab=test`);
      await page.getByLabel('Payload').waitFor();
      return page.getByLabel('Payload');
    };
    await visit(async (page, context) => {
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
    const { user } = await buildMember();
    await visit(async (page) => {
      await go(page, `/channels?channel=${scene.channel.id}`);
      await draft(page).fill('Of the administrator.');
      await endSessionAt(page, '**/api/v4/posts');
      await button(page, 'Send').click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      assert.equal(await dialog.getByLabel('Username or email').isEditable(), false);
      await button(dialog, 'Use another account').click();
      await heading(page, 'Hookline').waitFor();
      await signIn(page, user.username, userPassword);
      await button(page, `Account menu, ${user.username}`).waitFor();
      await draft(page).waitFor();
      assert.equal(await draft(page).inputValue(), '');
    });
  });

  test('a member changes their names, address and password, and ends another session', async () => {
    const { user, client, login } = await buildMember({ isTeamAdmin: true });
    const password = 'another password';
    await visit(async (page) => {
      await chooseInAccountMenu(page, 'Your account');
      await heading(page, 'Your account').waitFor();
      assert.equal(await page.getByRole('heading', { name: 'Tokens' }).count(), 0);
      assert.deepEqual(await seriousFaults(axeOn(page)), []);

      const email = `${unique('new')}@example.com`;
      await exactButton(page, 'Edit').click();
      await page.getByLabel('Username').fill(`${user.username}-2`);
      assert.equal(await page.getByLabel('Your password').count(), 0);
      await fillIn(page, { Email: email, 'Your password': 'not the password' });
      await button(page, 'Save').click();
      await fieldOf(page, page.getByLabel('Your password', { exact: true }))
        .getByRole('alert')
        .waitFor();
      assert.equal(await page.getByLabel('Email').inputValue(), email);
      await page.getByLabel('Your password').fill(userPassword);
      await button(page, 'Save').click();
      await definition(page, email).waitFor();
      await button(page, `Account menu, ${user.username}-2`).waitFor();

      const other = await client.getSessions(user.id);
      assert.ok(other.length >= 2);
      await button(page, 'Change password').click();
      await fillIn(page, { 'Current password': 'not the password', 'New password': password });
      await button(page, 'Set password').click();
      await fieldOf(page, page.getByLabel('Current password', { exact: true }))
        .getByRole('alert')
        .waitFor();
      await fillIn(page, { 'Current password': userPassword, 'New password': 'short' });
      await button(page, 'Set password').click();
      await fieldOf(page, page.getByLabel('New password', { exact: true }))
        .getByRole('alert')
        .waitFor();
      assert.ok(await hasFocus(page.getByLabel('New password')));
      await page.getByLabel('New password').fill(password);
      await button(page, 'Set password').click();
      await gone(page.getByRole('dialog'));
      const sessions = page.getByRole('region', { name: 'Sessions' });
      await exactButton(sessions, 'Sign out').waitFor();
      const again = await signInClient(`${user.username}-2`, password);
      const newest = (await again.getSessions(user.id)).reduce((one, other) =>
        other.create_at > one.create_at ? other : one,
      );
      const where = [newest.props.browser, newest.props.os].filter(Boolean).join(', ') || 'Unknown program';
      await page.reload();
      const row = sessions
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name: where, exact: true }) });
      await button(row, 'Sign out').click();
      await confirm(page, 'Sign out');
      await gone(row);
      await assert.rejects(again.getMe());

      await definition(page, `${scene.team.display_name}, administrator`).waitFor();
      await page.getByRole('link', { name: scene.team.display_name }).click();
      await rowOf(page, scene.channel.display_name).waitFor();
      await page.getByRole('tab', { name: 'Members' }).click();
      await button(page, 'Make member').first().waitFor();
    }, login);
  });

  test('a page requests the names of more accounts than one response contains', async () => {
    const asked = [];
    await visit(async (page) => {
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
      await go(page, '/incoming?search=owner-229');
      await page.reload(); // Home has loaded the list without them
      await page.getByRole('cell', { name: 'owner-229' }).waitFor();
      assert.ok(
        asked.every((count) => count <= 200),
        `${asked}`,
      );
    });
  });
});
