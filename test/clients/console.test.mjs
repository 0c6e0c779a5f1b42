/** The console at /, in Chromium: first page, sign-in, first steps, a bad network, and a proxy with a path. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  button,
  chooseInAccountMenu,
  copied,
  exactButton,
  fillIn,
  go,
  gone,
  heading,
  open,
  rowOf,
  signIn,
  useConsole,
} from './support/console.mjs';
import { startPrefixProxy } from './support/prefix-proxy.mjs';
import { startRunningServer } from './support/running-server.mjs';
import { adminPassword, adminUsername, eventually, serverUrl, unique } from './support/scene.mjs';

describe('the console: first page', () => {
  const { visit, callWith, hookFor } = useConsole();

  /** The compressed size of the loaded scripts of a page. */
  /** Without the charts, which are loaded once the page is shown. */
  async function bytesOfScripts(page) {
    const files = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .flatMap(({ name }) => (/(?<!\/plots-[\w-]*)\.js$/.test(name) ? [name] : [])),
    );
    assert.ok(files.length >= 3);
    let bytes = 0;
    for (const file of files) bytes += gzipSync(Buffer.from(await (await fetch(file)).arrayBuffer())).length;
    return bytes;
  }

  test('is cached by the browser, except for the page itself', async (t) => {
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
    t.after(() => without.stop());
    assert.match(await (await fetch(without.url)).text(), /<a href="api\/docs">/);
    for (const file of files) assert.equal((await fetch(`${without.url}/${file}`)).status, 404, file);
  });

  test('loads little before its first page, and nothing on it moves afterwards', async () => {
    const word = unique('still');
    await callWith(await hookFor({ display_name: word, trigger_words: [word] }), {});
    await visit(async (page) => {
      await page.addInitScript(() => {
        globalThis.shift = 0;
        new PerformanceObserver((list) => {
          for (const { value, hadRecentInput } of list.getEntries())
            globalThis.shift += hadRecentInput ? 0 : value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      for (const [address, stands] of Object.entries({
        '/': page.getByRole('heading', { name: /^Attempts/ }),
        '/deliveries': page.getByRole('list', { name: 'Deliveries' }).getByText(word).first(),
        '/outgoing': page.getByRole('link', { name: word }),
      })) {
        await page.goto('about:blank'); // nothing of the previous page is left
        await go(page, `${address}`);
        await stands.waitFor();
        await page.waitForLoadState('networkidle');
        const shift = await page.evaluate(() => globalThis.shift);
        assert.ok(shift < 0.1, `${address} moves by ${shift}`);
        if (address === '/') {
          const bytes = await bytesOfScripts(page);
          assert.ok(bytes <= 350 * 1024, `${bytes} bytes`);
        }
      }
    });
  });

  test("refuses a wrong password with the server's message, and accepts the right one", () =>
    visit(
      async (page) => {
        await fillIn(page, { 'Username or email': adminUsername, Password: 'not the password' });
        await button(page, 'Sign in').click();
        await page.getByRole('alert').filter({ hasText: 'password' }).waitFor();
        assert.equal(await page.getByLabel('Password').getAttribute('aria-invalid'), 'true');
        assert.equal(await page.getByLabel('Username or email').inputValue(), adminUsername);
        await signIn(page, adminUsername, adminPassword);
        await chooseInAccountMenu(page, 'Sign out');
        await page.getByLabel('Password').waitFor();
      },
      { signsIn: false },
    ));

  test('guides through the first steps on a new server', async (t) => {
    const server = await startRunningServer();
    t.after(() => server.stop());
    const options = { url: server.url, password: server.adminPassword };
    await visit(async (page) => {
      const steps = page.getByRole('region', { name: 'First steps' });
      await steps.waitFor();
      for (const name of ['Needs attention', 'Attempts'])
        assert.equal(await page.getByRole('region', { name }).count(), 0);
      await button(page, 'Copy the first command').click();
      const command = await copied(page);
      assert.match(command, /^curl -H 'Content-Type: application\/json' -d '\{"text":/);
      const [url] = command.match(/http\S+$/);
      assert.equal(new URL(url).origin, server.url);
      await fetch(url, { method: 'POST', body: '{"text":"The first message"}' });
      await page.getByText('The first message').waitFor();
      await steps.getByRole('link', { name: 'Add an outgoing webhook' }).click();
      await button(page, 'Add a webhook').waitFor();
      await open(page, 'Overview');
      await steps.getByRole('link', { name: 'Invite another server' }).click();
      await button(page, 'Invite a server').waitFor();
    }, options);
  });
});

describe('the console: overview', () => {
  const { receiver, visit, callWith, hookFor, settled, incomingHookFor } = useConsole();

  test('retries what an endpoint has missed, and hides what is dismissed until it happens again', async () => {
    const name = unique('down');
    const hook = await hookFor({ display_name: name });
    await callWith(hook, { status: 500 });
    const refusing = await incomingHookFor({ display_name: unique('refusing') });
    const call = (body) => fetch(`${serverUrl}/hooks/${refusing.id}`, { method: 'POST', body });
    await call('nonsense');
    await visit(async (page) => {
      const attention = page.getByRole('region', { name: 'Needs attention' });
      const refused = page.getByRole('region', { name: 'Refused calls' });
      await button(rowOf(attention, name), /^Retry \d/).click();
      await settled(hook, 1);
      assert.ok(receiver.received.length > 0);
      const row = rowOf(refused, refusing.display_name);
      await button(row, 'Dismiss').click();
      await gone(row);
      await button(page, 'Undo').click();
      await button(row, 'Dismiss').click();
      await gone(row);
      await page.reload();
      await button(refused, /^Show \d+ dismissed/).waitFor();
      assert.equal(await row.count(), 0);
      await call('nonsense');
      await page.reload();
      await row.waitFor();
      await call('{"text":"It works again."}');
      await page.reload();
      await page.getByRole('region', { name: 'First steps' }).waitFor();
      assert.equal(await row.count(), 0);
    });
  });

  test('charts the attempts of a chosen range', async () => {
    await callWith(await hookFor(), {});
    await visit(async (page) => {
      await page.getByRole('img', { name: 'Attempts of the last 24 hours' }).waitFor();
      await page.getByText('7 d', { exact: true }).click();
      await page.getByRole('img', { name: 'Attempts of the last 7 days' }).waitFor();
      await page.goBack();
      await page.getByRole('img', { name: 'Attempts of the last 24 hours' }).waitFor();
      await page.getByRole('link', { name: 'Delivered' }).click();
      await heading(page, 'Deliveries').waitFor();
      await page.waitForURL(/status=delivered/);
    });
  });
});

const LOST = 'Not connected; retrying';

describe('the console: bad network', () => {
  const { scene, visit } = useConsole();

  const stateOf = (page, text) => page.getByRole('banner').getByText(text, { exact: true });

  /** The WebSocket, whose frames are lost while `isGone`. */
  async function streamOf(page) {
    const stream = { isGone: false, asked: [], answered: [] };
    await page.routeWebSocket('**/api/v4/websocket', (near) => {
      const far = near.connectToServer();
      near.onMessage((text) => {
        stream.asked.push(JSON.parse(text));
        if (!stream.isGone) far.send(text);
      });
      far.onMessage((text) => {
        if (stream.isGone) return;
        stream.answered.push(JSON.parse(text).seq_reply);
        near.send(text);
      });
    });
    return stream;
  }
  const pingsOf = ({ asked }) => asked.filter(({ action }) => action === 'ping').map(({ seq }) => seq);

  test('the connection is lost when no more frames arrive, but not before the first one', () =>
    visit(async (page) => {
      await page.clock.install();
      const stream = await streamOf(page);
      stream.isGone = true;
      await page.reload();
      await stateOf(page, 'Connecting…').waitFor();
      assert.equal(await stateOf(page, LOST).count(), 0);
      await page.clock.fastForward('00:11');
      await stateOf(page, LOST).waitFor();
      stream.isGone = false;
      await stateOf(page, 'Connected').waitFor();
      await page.clock.fastForward('00:26');
      await eventually('a reply to a ping', () => stream.answered.includes(pingsOf(stream)[0]));
      await page.clock.fastForward('00:11');
      assert.equal(await stateOf(page, 'Connected').count(), 1);
      stream.isGone = true;
      await page.clock.fastForward('00:26');
      await eventually('another ping', () => pingsOf(stream).length === 2);
      await page.clock.fastForward('00:11');
      await stateOf(page, LOST).waitFor();
      stream.isGone = false;
      await stateOf(page, 'Connected').waitFor();
    }));

  test('a paused list does not change when the connection is back', () =>
    visit(async (page, context) => {
      await go(page, '/deliveries');
      await exactButton(page, 'Live').click();
      await stateOf(page, 'Connected').waitFor();
      await context.setOffline(true);
      await stateOf(page, LOST).waitFor();
      const read = [];
      page.on('request', (request) => read.push(new URL(request.url()).pathname));
      const others = page.waitForRequest('**/deliveries/stats*');
      await context.setOffline(false);
      await stateOf(page, 'Connected').waitFor();
      await others;
      assert.deepEqual(
        read.filter((path) => path.endsWith('/hooks/outgoing/deliveries')),
        [],
      );
    }));

  test('a call without a response times out with a message', () =>
    visit(async (page) => {
      await page.clock.install();
      await page.reload();
      await open(page, 'Teams');
      await button(page, 'Add a team').click();
      await page.route('**/api/v4/teams', () => undefined);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill(unique('hung'));
      await exactButton(dialog, 'Add').click();
      await eventually('a disabled button', () => exactButton(dialog, 'Add').isDisabled());
      await page.clock.fastForward('00:31');
      await dialog.getByRole('alert').getByText('did not respond in time').waitFor();
      await exactButton(dialog, 'Add').waitFor();
    }));

  test('a hanging section does not hide the others, and a slow page says so', () =>
    visit(async (page) => {
      await page.route('**/hooks/incoming/refusing', () => undefined);
      await page.reload();
      await page.getByRole('heading', { name: /^Attempts/ }).waitFor();
      let release;
      const isReleased = new Promise((resolve) => (release = resolve));
      await page.route('**/people-page*.js', (route) => isReleased.then(() => route.continue()));
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'People' }).click();
      await page.getByRole('main').getByText('Loading…').waitFor();
      release();
      await heading(page, 'People').waitFor();
    }));

  test('webhook URLs use the public address of the server', () =>
    visit(async (page) => {
      const json = { SiteURL: 'https://chat.example.com/team' };
      await page.route('**/api/v4/config/client', (route) => route.fulfill({ json }));
      await go(page, `/incoming/${scene.hook.id}?tab=test`);
      await page.reload();
      await button(page, 'Copy the URL').click();
      assert.equal(await copied(page), `${json.SiteURL}/hooks/${scene.hook.id}`);
      await button(page, 'Send test').click(); // by the address of the page
      await page.getByText('The message is in the channel.').waitFor();
    }));

  test('works below the path of a proxy, with its session and live events', async (t) => {
    const proxy = await startPrefixProxy('/chat');
    t.after(() => proxy.close());
    const server = await startRunningServer({ SITE_URL: proxy.url });
    t.after(() => server.stop());
    proxy.lead(server.url);
    const options = { url: `${proxy.url}/`, signsIn: false };
    await visit(async (page) => {
      await signIn(page, 'admin', server.adminPassword);
      await stateOf(page, 'Connected').waitFor();
      await button(page, 'Copy the first command').click();
      const [url] = (await copied(page)).match(/http\S+$/);
      assert.ok(url.startsWith(`${proxy.url}/hooks/`), url);
      await fetch(url, { method: 'POST', body: '{"text":"From below"}' });
      await page.getByText('From below').waitFor();
      await open(page, 'Channels');
      await page.reload(); // the cookies have that path
      await page.getByLabel('Write a message').fill('Written below');
      await button(page, 'Send').click();
      await page.getByRole('list', { name: 'Messages' }).getByText('Written below').waitFor();
    }, options);
  });
});
