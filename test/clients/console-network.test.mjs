/** The console in Chromium, with a slow or lost network, and below the path of a proxy. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { open, openConsole, signIn } from './support/console.mjs';
import { startPrefixProxy } from './support/prefix-proxy.mjs';
import { startRunningServer } from './support/running-server.mjs';
import { eventually, serverUrl, unique } from './support/scene.mjs';

const LOST = 'Not connected; retrying';

describe('the console on a bad network', () => {
  let console, scene, visit;

  before(async () => {
    console = await openConsole('network');
    ({ scene, visit } = console);
  });
  after(() => console?.close());

  const stateOf = (page, text) => page.getByRole('navigation').getByText(text, { exact: true });

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
    visit('silence', async (page) => {
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
    visit('paused', async (page, context) => {
      await page.goto(`${serverUrl}/#/deliveries`);
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
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
    visit('hung', async (page) => {
      await page.clock.install();
      await page.reload();
      await open(page, 'Teams');
      await page.getByRole('button', { name: 'Add a team' }).click();
      await page.route('**/api/v4/teams', () => undefined);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill(unique('hung'));
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.getByRole('button', { name: 'One moment…' }).waitFor();
      await page.clock.fastForward('00:31');
      await dialog.getByRole('alert').getByText('did not respond in time').waitFor();
      await dialog.getByRole('button', { name: 'Add', exact: true }).waitFor();
    }));

  test('a hanging section does not hide the others, and a slow page says so', () =>
    visit('slow', async (page) => {
      await page.route('**/hooks/incoming/refusing', () => undefined);
      await page.reload();
      await page.getByRole('heading', { name: 'Calls of the last 24 hours' }).waitFor();
      let release;
      const isReleased = new Promise((resolve) => (release = resolve));
      await page.route('**/people-page*.js', (route) => isReleased.then(() => route.continue()));
      await page.getByRole('navigation').getByRole('link', { name: 'People' }).click();
      await page.getByRole('main').getByText('Loading…').waitFor();
      release();
      await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    }));

  test('webhook URLs use the public address of the server', () =>
    visit('site', async (page) => {
      const json = { SiteURL: 'https://chat.example.com/team' };
      await page.route('**/api/v4/config/client', (route) => route.fulfill({ json }));
      await page.goto(`${serverUrl}/#/incoming/${scene.hook.id}`);
      await page.reload();
      await page.getByRole('button', { name: 'Copy the URL' }).click();
      assert.equal(
        await page.evaluate(() => navigator.clipboard.readText()),
        `${json.SiteURL}/hooks/${scene.hook.id}`,
      );
      await page.getByRole('button', { name: 'Post it' }).click(); // by the address of the page
      await page.getByText('The message is in the channel.').waitFor();
    }));

  test('works below the path of a proxy, with its session and live events', async () => {
    const proxy = await startPrefixProxy('/chat');
    const server = await startRunningServer({ SITE_URL: proxy.url });
    proxy.lead(server.url);
    try {
      await visit(
        'below',
        async (page) => {
          await signIn(page, 'admin', server.adminPassword);
          await stateOf(page, 'Connected').waitFor();
          await page.getByRole('button', { name: 'Copy the first command' }).click();
          const [url] = (await page.evaluate(() => navigator.clipboard.readText())).match(/http\S+$/);
          assert.ok(url.startsWith(`${proxy.url}/hooks/`), url);
          await fetch(url, { method: 'POST', body: '{"text":"From below"}' });
          await page.getByText('From below').waitFor();
          await open(page, 'Channels');
          await page.reload(); // the cookies have that path
          await page.getByLabel('Write a message').fill('Written below');
          await page.getByRole('button', { name: 'Send' }).click();
          await page.getByRole('list', { name: 'Messages' }).getByText('Written below').waitFor();
        },
        { url: `${proxy.url}/`, signsIn: false },
      );
    } finally {
      await server.stop();
      proxy.close();
    }
  });
});
