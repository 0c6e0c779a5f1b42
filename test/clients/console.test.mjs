/** The console at /, in Chromium: access, errors, and accessibility. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { endSessionAt, open, openConsole, signIn } from './support/console.mjs';
import { startRunningServer } from './support/running-server.mjs';
import {
  adminPassword,
  adminUsername,
  buildUser,
  eventually,
  serverUrl,
  unique,
  userPassword,
} from './support/scene.mjs';

describe('the console', () => {
  let console;
  let scene;
  let visit;

  before(async () => {
    console = await openConsole('console');
    ({ scene, visit } = console);
  });
  after(() => console?.close());

  /** The compressed size of the loaded scripts of a page. */
  async function bytesOfScripts(page) {
    const files = await page.evaluate(() =>
      performance.getEntriesByType('resource').flatMap(({ name }) => (name.endsWith('.js') ? [name] : [])),
    );
    assert.ok(files.length >= 3);
    let bytes = 0;
    for (const file of files) bytes += gzipSync(Buffer.from(await (await fetch(file)).arrayBuffer())).length;
    return bytes;
  }

  test('is cached by the browser, except for the page itself', async () => {
    const page = await fetch(serverUrl);
    assert.equal(page.headers.get('cache-control'), 'no-cache');
    const files = [...(await page.text()).matchAll(/(?:src|href)="\.\/(console\/[^"]+)"/g)].map(
      ([, file]) => file,
    );
    assert.ok(files.length >= 3);
    for (const file of files) {
      const answer = await fetch(`${serverUrl}/${file}`);
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    }
    assert.equal((await fetch(`${serverUrl}/console/none.js`)).status, 404);
    const without = await startRunningServer({ ENABLE_CONSOLE: 'false' });
    try {
      assert.match(await (await fetch(without.url)).text(), /<a href="api\/docs">/);
      for (const file of files) assert.equal((await fetch(`${without.url}/${file}`)).status, 404, file);
    } finally {
      await without.stop();
    }
  });

  test('loads little before its first page, and nothing on it moves afterwards', async () => {
    const word = unique('still');
    await scene.admin.createOutgoingWebhook({
      ...{ team_id: scene.team.id, channel_id: scene.channel.id, display_name: word },
      ...{ trigger_words: [word], callback_urls: [console.receiver.url] },
    });
    await scene.admin.createPost({ channel_id: scene.channel.id, message: word });
    await eventually('the call', () => console.receiver.received.length > 0);
    await visit('still', async (page) => {
      await page.addInitScript(() => {
        globalThis.shift = 0;
        new PerformanceObserver((list) => {
          for (const { value, hadRecentInput } of list.getEntries())
            globalThis.shift += hadRecentInput ? 0 : value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      for (const [address, stands] of Object.entries({
        '/': page.getByRole('heading', { name: 'Calls of the last 24 hours' }),
        '/deliveries': page.getByRole('list', { name: 'Deliveries' }).getByText(word).first(),
        '/outgoing': page.getByRole('link', { name: word }),
      })) {
        await page.goto('about:blank'); // nothing of the previous page is left
        await page.goto(`${serverUrl}/#${address}`);
        await stands.waitFor();
        await page.waitForLoadState('networkidle');
        const shift = await page.evaluate(() => globalThis.shift);
        assert.ok(shift < 0.1, `${address} moves by ${shift}`);
        if (address === '/') assert.ok((await bytesOfScripts(page)) <= 250 * 1024);
      }
    });
  });

  test("refuses a wrong password with the server's message, and accepts the right one", () =>
    visit(
      'sign-in',
      async (page) => {
        await page.getByLabel('Username or email').fill(adminUsername);
        await page.getByLabel('Password').fill('not the password');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('alert').filter({ hasText: 'password' }).waitFor();
        assert.equal(await page.getByLabel('Password').getAttribute('aria-invalid'), 'true');
        assert.equal(await page.getByLabel('Username or email').inputValue(), adminUsername);
        await signIn(page, adminUsername, adminPassword);
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByLabel('Password').waitFor();
      },
      { signsIn: false },
    ));

  test('guides through the first steps on a new server', async () => {
    const server = await startRunningServer();
    try {
      await visit(
        'first-run',
        async (page) => {
          await page.getByRole('heading', { name: 'First steps' }).waitFor();
          for (const name of ['Needs attention', 'Calls of the last 24 hours'])
            assert.equal(await page.getByRole('region', { name }).count(), 0);
          await page.getByRole('button', { name: 'Copy the first command' }).click();
          const command = await page.evaluate(() => navigator.clipboard.readText());
          assert.match(command, /^curl -H 'Content-Type: application\/json' -d '\{"text":/);
          const [url] = command.match(/http\S+$/);
          assert.equal(new URL(url).origin, server.url);
          await fetch(url, { method: 'POST', body: '{"text":"The first message"}' });
          await page.getByText('The first message').waitFor();

          const steps = page.getByRole('region', { name: 'First steps' });
          await steps.getByRole('link', { name: 'Add an outgoing webhook' }).click();
          await page.getByRole('button', { name: 'Add a webhook' }).click();
          await page.getByLabel('Name').fill('The second step');
          await page
            .getByRole('combobox', { name: 'Channel' })
            .selectOption({ label: 'All public channels' });
          await page.getByLabel('Trigger words, one per line').fill('deploy');
          await page.getByLabel('URLs to call, one per line').fill(console.receiver.url);
          await page.getByRole('button', { name: 'Add', exact: true }).click();
          await page.getByRole('heading', { level: 1, name: 'The second step' }).waitFor();
          await open(page, 'Channels');
          await page.getByLabel('Write a message').fill('deploy');
          await page.getByRole('button', { name: 'Send' }).click();
          await page.getByText(console.receiver.text).waitFor();

          await open(page, 'Home');
          await page.getByText('Everything works.').waitFor();
          await steps.getByText(/^(First steps|Show the first steps again)$/).waitFor();
          const again = steps.getByText('Show the first steps again');
          if (await again.isVisible()) await again.click();
          await steps.getByRole('link', { name: 'Invite another server' }).click();
          await page.getByRole('button', { name: 'Invite a server' }).click();
          await page.getByLabel('Name').fill('The third step');
          await page.getByRole('button', { name: 'Create an invite' }).click();
          await page.getByLabel('the invite', { exact: true }).waitFor();
        },
        { url: server.url, password: server.adminPassword },
      );
    } finally {
      await server.stop();
    }
  });

  test('asks for a login when the session has ended, and keeps typed text', async () => {
    const { user, client } = await buildUser(scene.admin, 'typist');
    await scene.admin.addToTeam(scene.team.id, user.id);
    await visit(
      'session',
      async (page) => {
        await open(page, 'Channels');
        const text = unique('typed');
        await page.getByLabel('Write a message').fill(text);
        await open(page, 'Home');
        await open(page, 'Channels');
        assert.equal(await page.getByLabel('Write a message').inputValue(), text);
        await client.logout();
        await endSessionAt(page, '**/api/v4/posts', () => scene.admin.revokeAllSessionsForUser(user.id));
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

  test('shows a member only permitted pages', async () => {
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

  test('shows that the connection is lost, and reconnects', () =>
    visit('connection', async (page, context) => {
      await page.getByText('Connected', { exact: true }).waitFor();
      await context.setOffline(true);
      await page.getByText('Not connected; retrying').waitFor();
      await context.setOffline(false);
      await page.getByText('Connected', { exact: true }).waitFor();
    }));
});
