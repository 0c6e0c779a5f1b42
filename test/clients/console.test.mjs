/** The console at /, in Chromium, as people use it: each page's main act, and what goes wrong on the way. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { findProgram } from './support/machine-clients.mjs';
import {
  adminPassword,
  adminUsername,
  buildScene,
  buildUser,
  eventually,
  postsIn,
  serverUrl,
  unique,
  userPassword,
} from './support/scene.mjs';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
/** Where what a failed test saw is kept. */
const KEPT = path.join(import.meta.dirname, '..', '..', '.cache', 'console');
const PAGES = [
  'Home',
  'Channels',
  'Incoming webhooks',
  'Outgoing webhooks',
  'Deliveries',
  'Secure connections',
  'System',
];

const HOSTILE =
  '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>[x](javascript:document.title="taken")';

describe('the console', () => {
  let browser;
  let scene;
  let receiver;
  let received = [];

  before(async () => {
    browser = await chromium.launch({ executablePath: findProgram('chromium'), args: FLAGS });
    scene = await buildScene('console');
    receiver = createServer((request, response) => {
      received.push(request.headers);
      request.resume().on('end', () => {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ text: 'The program has answered.' }));
      });
    });
    await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    await browser?.close();
    receiver?.close();
  });

  /** A person at the console, in a browser of their own; what a page reports as an error fails the test. */
  async function visit(
    name,
    act,
    { signsIn = true, username = adminUsername, password = adminPassword, ...options } = {},
  ) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Uncaught/.test(message.text())) problems.push(message.text());
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== serverUrl) problems.push(`A request to ${request.url()}`);
    });
    try {
      await page.goto(serverUrl);
      // The team of this suite, among those of others.
      await page.evaluate((id) => localStorage.setItem('hookline.team', id), scene.team.id);
      if (signsIn) await signIn(page, username, password);
      await act(page, context);
      assert.deepEqual(problems, []);
      assert.notEqual(await page.title(), 'taken');
    } catch (error) {
      mkdirSync(KEPT, { recursive: true });
      await page.screenshot({ path: path.join(KEPT, `${name}.png`), fullPage: true }).catch(() => undefined);
      throw error;
    } finally {
      await context.close();
    }
  }

  async function signIn(page, username, password) {
    await page.getByLabel('Username or email').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  }

  async function open(page, title) {
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: title, exact: true })
      .click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  }

  test('is kept by the browser, but for the page itself, and its first page is small', async () => {
    const page = await fetch(serverUrl);
    assert.equal(page.headers.get('cache-control'), 'no-cache');
    const files = [...(await page.text()).matchAll(/(?:src|href)="\.\/(console\/[^"]+)"/g)].map(
      ([, file]) => file,
    );
    assert.ok(files.length >= 3);
    let bytes = 0;
    for (const file of files) {
      const answer = await fetch(`${serverUrl}/${file}`);
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      const content = Buffer.from(await answer.arrayBuffer());
      if (file.endsWith('.js')) bytes += gzipSync(content).length;
    }
    assert.ok(bytes > 0 && bytes <= 250 * 1024, `${bytes} bytes`);
    assert.equal((await fetch(`${serverUrl}/console/none.js`)).status, 404);
  });

  test('refuses a wrong password in the words of the server, and lets in with the right one', () =>
    visit(
      'sign-in',
      async (page) => {
        await page.getByLabel('Username or email').fill(adminUsername);
        await page.getByLabel('Password').fill('not the password');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('alert').filter({ hasText: 'password' }).waitFor();
        assert.equal(await page.getByLabel('Username or email').inputValue(), adminUsername);
        await signIn(page, adminUsername, adminPassword);
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByLabel('Password').waitFor();
      },
      { signsIn: false },
    ));

  test('shows a message as it is posted by the command of the first step', () =>
    visit('home', async (page) => {
      const command = page.getByLabel('the first command', { exact: true });
      assert.match(await command.innerText(), /hooks\/•+$/);
      await page.getByRole('button', { name: 'Copy the first command' }).click();
      const url = (await page.evaluate(() => navigator.clipboard.readText())).match(/http\S+$/)[0];
      const text = unique('appears');
      await page.getByRole('list', { name: 'Messages' }).waitFor();
      await fetch(url, { method: 'POST', body: JSON.stringify({ text }) });
      await page.getByText(text).waitFor();
    }));

  test('makes an incoming webhook, sends a test through it, and deletes it', () =>
    visit('incoming', async (page) => {
      const name = unique('made');
      await open(page, 'Incoming webhooks');
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      await page.getByLabel('Name').fill(name);
      await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: 'Town Square' });
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.getByLabel('Payload').fill('{"text":"  ');
      await page.getByRole('alert').waitFor();
      const text = unique('tested');
      await page.getByLabel('Payload').fill(JSON.stringify({ text }));
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Sent. The message is in the channel.').waitFor();
      const [channel] = (await scene.admin.getMyChannels(scene.team.id)).filter(
        (one) => one.name === 'town-square',
      );
      assert.ok((await postsIn(scene.admin, channel.id)).some(({ message }) => message === text));
      await page.getByLabel('Payload').fill('{"text":""}');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByRole('tab', { name: 'Calls' }).click();
      await page.getByText('400').first().waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { level: 1, name: 'Incoming webhooks' }).waitFor();
      assert.equal(await page.getByText(name).count(), 0);
    }));

  test('makes an outgoing webhook, fires it by a message, and shows the delivery', () =>
    visit('outgoing', async (page) => {
      const name = unique('calls');
      const word = unique('deploy');
      await open(page, 'Outgoing webhooks');
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      await page.getByLabel('Name').fill(name);
      await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: 'Town Square' });
      await page.getByLabel('Trigger words, one a line').fill(word);
      await page.getByLabel('Addresses to call, one a line').fill('no address');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('alert').waitFor();
      assert.equal(await page.getByLabel('Trigger words, one a line').inputValue(), word);
      await page
        .getByLabel('Addresses to call, one a line')
        .fill(`http://127.0.0.1:${receiver.address().port}/`);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const hookPage = page.url();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Description').fill('Changed.');
      const change = page.waitForRequest((request) => request.method() === 'PATCH');
      await page.getByRole('button', { name: 'Save' }).click();
      assert.deepEqual((await change).postDataJSON(), { description: 'Changed.' });
      await page.getByRole('tab', { name: 'Try its words' }).click();
      await page.getByLabel('A message').fill(`${word} now`);
      await page.getByText(`Fires on “${word}”`).waitFor();
      await page.getByLabel('Words, one a line').fill('other');
      await page.getByRole('button', { name: 'Try', exact: true }).click();
      await page.getByText(/Of \d+ messages, 0 fire now, and 0 would/).waitFor();
      received = [];
      await open(page, 'Channels');
      await page.getByLabel('Write a message').fill(`${word} now`);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('The program has answered.').waitFor();
      assert.equal(received.length, 1);
      await page.goto(hookPage);
      const row = page.getByRole('list', { name: 'Deliveries' }).getByRole('button').first();
      await row.getByText('delivered').waitFor();
      await row.click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: 'Attempt 1' }).waitFor();
      await dialog.getByText('The program has answered.').first().waitFor();
      await dialog.getByText('First byte').waitFor();
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await eventually('the second call', () => received.length === 2);
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Test call' }).click();
      await page.getByRole('button', { name: 'Call' }).click();
      await page.getByText('200').first().waitFor();
      await page.getByRole('tab', { name: 'Secret' }).click();
      assert.equal(await page.getByText(/^whsec_/).count(), 0);
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText(/^whsec_/).waitFor();
    }));

  test('finds a delivery among those of all webhooks, by filters in the address', async () => {
    const word = unique('found');
    const hook = await scene.admin.createOutgoingWebhook({
      team_id: scene.team.id,
      channel_id: scene.channel.id,
      display_name: unique('all'),
      trigger_words: [word],
      callback_urls: [`http://127.0.0.1:${receiver.address().port}/`],
    });
    await scene.admin.createPost({ channel_id: scene.channel.id, message: word });
    await visit('deliveries', async (page) => {
      await open(page, 'Deliveries');
      await page.getByLabel('Status').selectOption('delivered');
      const row = page
        .getByRole('list', { name: 'Deliveries' })
        .getByRole('button', { name: hook.display_name });
      await row.waitFor();
      assert.match(page.url(), /status=delivered/);
      await page.getByLabel('Endpoint').fill('no endpoint');
      await page.getByLabel('Endpoint').press('Enter');
      await page.getByRole('alert').waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByLabel('Status').selectOption('failed');
      await row.waitFor({ state: 'detached' });
      await page.goto(`${serverUrl}/#/deliveries?hook=${hook.id}`);
      await row.click();
      await page.getByRole('dialog').getByRole('heading', { name: 'Attempt 1' }).waitFor();
    });
  });

  test('invites a server, and says why an invite is refused', () =>
    visit('connections', async (page) => {
      await open(page, 'Secure connections');
      await page.getByRole('button', { name: 'Invite a server' }).click();
      const name = unique('peer');
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Make an invite' }).click();
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
      const row = page.getByRole('row').filter({ hasText: name });
      await row.getByRole('button', { name: 'End' }).click();
      await page.getByRole('button', { name: 'End it' }).click();
      await row.waitFor({ state: 'detached' });
    }));

  test('shows what was done and how the server is', () =>
    visit('system', async (page) => {
      await open(page, 'System');
      await page.getByText('ok', { exact: true }).first().waitFor();
      await page
        .getByRole('cell', { name: /incoming_webhook|login|create/i })
        .first()
        .waitFor();
    }));

  test('asks to sign in again when the session has ended, and keeps what was typed', async () => {
    const { user, client } = await buildUser(scene.admin, 'typist');
    await scene.admin.addToTeam(scene.team.id, user.id);
    await visit(
      'session',
      async (page) => {
        await open(page, 'Channels');
        const text = unique('typed');
        await page.getByLabel('Write a message').fill(text);
        await client.logout();
        await scene.admin.revokeAllSessionsForUser(user.id);
        await page.getByRole('button', { name: 'Send' }).click();
        const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
        await dialog.getByLabel('Password').fill(userPassword);
        await dialog.getByRole('button', { name: 'Sign in' }).click();
        await dialog.waitFor({ state: 'hidden' });
        assert.equal(await page.getByLabel('Write a message').inputValue(), text);
        await page.getByRole('button', { name: 'Send' }).click();
        await page.getByRole('list', { name: 'Messages' }).getByText(text).waitFor();
      },
      { username: user.username, password: userPassword },
    );
  });

  test('shows a member what a member may see', async () => {
    const { user } = await buildUser(scene.admin, 'member');
    await scene.admin.addToTeam(scene.team.id, user.id);
    await visit(
      'member',
      async (page) => {
        assert.equal(await page.getByRole('link', { name: 'System' }).count(), 0);
        assert.equal(await page.getByRole('link', { name: 'Secure connections', exact: true }).count(), 0);
        await page.goto(`${serverUrl}/#/system`);
        await page.getByRole('alert').first().waitFor();
        await open(page, 'Channels');
        await page.getByLabel('Write a message').waitFor();
      },
      { username: user.username, password: userPassword },
    );
  });

  test('says that the connection is lost, and comes back by itself', () =>
    visit('connection', async (page, context) => {
      await page.getByText('Connected', { exact: true }).waitFor();
      await context.setOffline(true);
      await page.getByText('Not connected; trying again').waitFor();
      await context.setOffline(false);
      await page.getByText('Connected', { exact: true }).waitFor();
    }));

  test('shows what is hostile as text', async () => {
    const hook = await scene.admin.createIncomingWebhook({
      channel_id: scene.channel.id,
      display_name: HOSTILE.slice(0, 64),
      description: HOSTILE,
    });
    const attachments = [
      {
        title: HOSTILE,
        title_link: 'javascript:document.title="taken"',
        text: HOSTILE,
        color: HOSTILE,
        fields: [{ title: HOSTILE, value: HOSTILE }],
      },
    ];
    const posted = await fetch(`${serverUrl}/hooks/${hook.id}`, {
      method: 'POST',
      body: JSON.stringify({ text: HOSTILE, username: '<b>x</b>', attachments }),
    });
    assert.equal(posted.status, 200);
    await fetch(`${serverUrl}/hooks/${hook.id}`, {
      method: 'POST',
      body: HOSTILE,
      headers: { 'X-Hostile': HOSTILE },
    });
    const slow = '['.repeat(8_000) + '[a]('.repeat(1_500);
    await fetch(`${serverUrl}/hooks/${hook.id}`, { method: 'POST', body: JSON.stringify({ text: slow }) });
    await visit('hostile', async (page) => {
      await page.goto(`${serverUrl}/#/channels?channel=${scene.channel.id}`);
      await page.getByText('<img src=x onerror').first().waitFor();
      assert.equal(await page.locator('main img, main script, main a[href^="javascript"]').count(), 0);
      await page.goto(`${serverUrl}/#/incoming/${hook.id}?tab=calls`);
      await page.getByRole('table').getByRole('button').first().click();
      await page.getByRole('dialog').getByText('<img src=x onerror').first().waitFor();
    });
  });

  for (const colorScheme of ['light', 'dark'])
    test(`has no serious fault of accessibility in the ${colorScheme} theme`, () =>
      visit(
        `accessibility-${colorScheme}`,
        async (page) => {
          for (const title of PAGES) {
            await open(page, title);
            await page.waitForLoadState('networkidle').catch(() => undefined);
            const { violations } = await new AxeBuilder({ page }).analyze();
            const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
            assert.deepEqual(
              serious.map(({ id, nodes }) => `${title}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
              [],
            );
          }
        },
        { colorScheme },
      ));

  test('goes by the keyboard alone', () =>
    visit('keyboard', async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Page' }).pressSequentially('outg');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Outgoing webhooks' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('abc');
      assert.equal(await page.getByLabel('Search webhooks').inputValue(), 'abc');
    }));
});
