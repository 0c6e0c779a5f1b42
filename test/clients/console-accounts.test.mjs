/** The accounts of people and programs in the console, and what belongs to one of them, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openConsole, signIn } from './support/console.mjs';
import { buildUser, serverUrl, unique, userPassword } from './support/scene.mjs';

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

  test('what cuts off is red, and what gives back is not', async () => {
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
      assert.equal(await colorOf(page.getByRole('button', { name: 'Make it' })), colors[1]);
    });
  });

  test('a bot is found where people are searched, and is marked', async () => {
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

  test('what one has begun to write is not shown to who signs in after them', async () => {
    const { user } = await buildUser(scene.admin, 'other');
    await scene.admin.addToTeam(scene.team.id, user.id);
    await scene.admin.addToChannel(user.id, scene.channel.id);
    const place = `${serverUrl}/#/channels?channel=${scene.channel.id}`;
    await console.visit('drafts', async (page, context) => {
      await page.goto(place);
      await draft(page).fill('Of the administrator.');
      await context.clearCookies(); // the session is over, and nobody has signed out
      await page.reload();
      await signIn(page, user.username, userPassword);
      await draft(page).waitFor();
      assert.equal(await draft(page).inputValue(), '');
      await draft(page).fill('Of the other.');
      await context.clearCookies();
      await page.reload();
      await signIn(page, scene.me.username, process.env.HOOKLINE_ADMIN_PASSWORD);
      await draft(page).waitFor();
      assert.equal(await draft(page).inputValue(), 'Of the administrator.');
    });
  });

  test('nor to another who signs in where a session has ended', async () => {
    const { user } = await buildUser(scene.admin, 'next');
    await scene.admin.addToTeam(scene.team.id, user.id);
    await scene.admin.addToChannel(user.id, scene.channel.id);
    await console.visit('ended', async (page, context) => {
      await page.goto(`${serverUrl}/#/channels?channel=${scene.channel.id}`);
      await draft(page).fill('Of the administrator.');
      await context.clearCookies();
      await page.getByRole('button', { name: 'Send' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      assert.equal(await dialog.getByLabel('Username or email').isEditable(), false);
      await dialog.getByRole('button', { name: 'I am somebody else' }).click();
      await page.getByRole('heading', { level: 1, name: 'Hookline' }).waitFor();
      await signIn(page, user.username, userPassword);
      await page.getByRole('navigation').getByText(user.username).waitFor();
      await draft(page).waitFor();
      assert.equal(await draft(page).inputValue(), '');
    });
  });
});
