/** The console behaves correctly when data changes during an action or a request fails at first; in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { endSessionAt, open, openConsole } from './support/console.mjs';
import { buildChannel, buildUser, eventually, serverUrl, unique, userPassword } from './support/scene.mjs';

const REFUSAL = { status: 403, json: { id: 'test', message: 'Refused by the test.', status_code: 403 } };

describe('the console is steady', () => {
  let console, scene, visit;

  before(async () => {
    console = await openConsole('steady');
    ({ scene, visit } = console);
  });
  after(() => console?.close());

  const post = (channel, message) => scene.admin.createPost({ channel_id: channel.id, message });
  const placeOf = (channel) => `${serverUrl}/#/channels?channel=${channel.id}`;
  const messages = (page) => page.getByRole('list', { name: 'Messages' });
  /** Holds the responses to some requests until they are released. */
  async function hold(page, pattern, isHeld = () => true) {
    const requests = [];
    let release;
    const isReleased = new Promise((resolve) => (release = resolve));
    await page.route(pattern, async (route) => {
      if (!isHeld(route.request())) return route.continue();
      requests.push(route.request());
      await isReleased;
      return route.continue().catch(() => undefined); // the page may have aborted it
    });
    return { requests, release };
  }

  test('only a channel of the selected team is shared', async () => {
    const other = await scene.admin.createTeam({
      name: unique('steady'),
      display_name: unique('Other'),
      type: 'O',
    });
    const { remote_cluster: peer } = await scene.admin.createRemoteCluster({
      name: unique('steady'),
      display_name: 'A server',
      default_team_id: scene.team.id,
    });
    await visit('share', async (page) => {
      await page.route(`**/remotecluster/${peer.remote_id}`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), standing: 'online' } });
      });
      await page.goto(`${serverUrl}/#/connections/${peer.remote_id}`);
      await page.getByRole('button', { name: 'Share a channel' }).click();
      const dialog = page.getByRole('dialog');
      const channel = dialog.getByRole('combobox', { name: 'Channel' });
      await channel.selectOption({ label: scene.channel.display_name });
      await dialog.getByRole('combobox', { name: 'Team' }).selectOption({ label: other.display_name });
      await channel.getByRole('option', { name: scene.channel.display_name }).waitFor({ state: 'detached' });
      assert.equal(await channel.inputValue(), '');
    });
  });

  test('a message is shown completely, and a URL ends before the punctuation', async () => {
    const channel = await buildChannel(scene.admin, scene.team.id, 'texts');
    await post(channel, '```npm test failed```');
    await post(channel, '```rollback began');
    await post(channel, '```sh\nnpm ci\n```\nSee https://docs.example/a/b, or https://docs.example/c.');
    await visit('texts', async (page) => {
      await page.goto(placeOf(channel));
      await messages(page).getByText('npm test failed').waitFor();
      await messages(page).getByText('rollback began').waitFor();
      await messages(page).locator('pre').getByText('npm ci', { exact: true }).waitFor();
      for (const address of ['https://docs.example/a/b', 'https://docs.example/c']) {
        const link = messages(page).getByRole('link', { name: address, exact: true });
        assert.equal(await link.getAttribute('href'), address);
      }
    });
  });

  test('a count for one time is not shown for another', async () => {
    const hook = await console.hookFor();
    await visit('counted', async (page) => {
      const { requests, release } = await hold(page, '**/recover', (one) => one.method() === 'POST');
      await page.goto(`${serverUrl}/#/outgoing/${hook.id}`);
      await page.getByRole('button', { name: 'Send missed deliveries again' }).click();
      const dialog = page.getByRole('dialog');
      const counted = dialog.getByText('Nothing has been missed since then.');
      await dialog.getByRole('button', { name: 'Count' }).click();
      await eventually('the first question', () => requests.length === 1);
      await dialog.getByLabel('Missed since').fill('2026-01-01T00:00:00');
      release();
      await dialog.getByRole('button', { name: 'Count' }).waitFor();
      assert.equal(await counted.count(), 0);
      await dialog.getByRole('button', { name: 'Count' }).click();
      await counted.waitFor();
    });
  });

  test('resets when another user has signed in in the same browser', async () => {
    const { user } = await buildUser(scene.admin, 'heir');
    await scene.admin.addToTeam(scene.team.id, user.id);
    await scene.admin.addToChannel(user.id, scene.channel.id);
    await visit('heir', async (page, context) => {
      const draft = page.getByLabel('Write a message');
      await page.goto(placeOf(scene.channel));
      await draft.fill('Of the administrator.');
      await page.getByText('Connected', { exact: true }).waitFor();
      await page.evaluate(
        (body) =>
          fetch('api/v4/users/login', {
            method: 'POST',
            headers: { 'X-Requested-With': 'XMLHttpRequest', 'Content-Type': 'application/json' },
            body,
          }),
        JSON.stringify({ login_id: user.username, password: userPassword }),
      );
      await context.setOffline(true);
      await page.getByText('Not connected; retrying').waitFor();
      await context.setOffline(false);
      await page.getByRole('navigation').getByText(user.username).waitFor();
      await draft.waitFor();
      assert.equal(await draft.inputValue(), '');
    });
  });

  test('a busy channel sends one request at a time, and another channel none', async () => {
    const busy = await buildChannel(scene.admin, scene.team.id, 'busy');
    await visit('busy', async (page) => {
      const events = [];
      page.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => {
          if (String(payload).includes('"posted"')) events.push(String(payload));
        }),
      );
      const heard = ({ id }) => events.filter((event) => event.includes(id)).length;
      await page.goto(placeOf(busy));
      await page.reload();
      await page.getByText('Connected', { exact: true }).waitFor();
      await page.getByText('No messages yet.').or(messages(page)).waitFor();
      const givenUp = [];
      page.on('requestfailed', (request) => givenUp.push(request.url()));
      const { requests, release } = await hold(page, `**/channels/${busy.id}/posts*`);
      for (let index = 0; index < 5; index++) await post(scene.channel, 'In another channel.');
      await eventually('events of the other channel', () => heard(scene.channel) >= 5);
      assert.equal(requests.length, 0);
      for (let index = 0; index < 8; index++) await post(busy, `Message ${index}.`);
      await eventually('events of the busy channel', () => heard(busy) >= 8);
      assert.equal(requests.length, 1);
      release();
      await messages(page).getByText('Message 7.').waitFor();
      assert.deepEqual(givenUp, []);
    });
  });

  test('a failure is not shown as having no team, and is retried', () =>
    visit('no-team', async (page) => {
      await page.goto(`${serverUrl}/#/channels`);
      for (const list of ['**/users/me/teams', '**/users/me/teams/*/channels']) {
        await page.route(list, (route) => route.fulfill(REFUSAL));
        await page.reload();
        await page.getByText('Refused by the test.').first().waitFor();
        assert.equal(await page.getByText('You are not in a team yet.').count(), 0);
        await page.unroute(list);
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByLabel('Write a message').waitFor();
      }
    }));

  test('a page that failed to load is retried, and does not affect the others', () =>
    visit('again', async (page) => {
      await page.route('**/users/me', (route) => route.fulfill(REFUSAL));
      await page.reload();
      const fault = page.getByRole('heading', { name: 'This page cannot be shown' });
      await fault.waitFor();
      await page.unroute('**/users/me');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await page.evaluate(() => sessionStorage.clear());
      await page.route('**/people-page*.js', (route) => route.abort());
      await page.goto(`${serverUrl}/#/people`);
      await fault.waitFor();
      await open(page, 'Teams');
      assert.equal(await fault.count(), 0);
    }));

  test('a search survives closing a thread, and says when nothing is found', async () => {
    const word = unique('needle');
    const root = await post(scene.channel, `${word} in a stack`);
    await scene.admin.createPost({ channel_id: scene.channel.id, root_id: root.id, message: 'A reply.' });
    await visit('search', async (page) => {
      await page.goto(placeOf(scene.channel));
      const search = page.getByLabel('Search messages');
      await search.fill(word);
      await search.press('Enter');
      await messages(page).getByText(word).waitFor();
      await page.getByRole('button', { name: '1 reply', exact: true }).click();
      await page.getByRole('dialog').getByText('A reply.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(await search.inputValue(), word);
      await messages(page).getByText(word).waitFor();
      await post(scene.channel, `another ${word}`);
      await search.press('Enter');
      await messages(page).getByText(`another ${word}`).waitFor();
      await search.fill(unique('nowhere'));
      await search.press('Enter');
      await page.getByText('No messages found.').waitFor();
    });
  });

  test('the form under the login dialog is kept, no matter which key is pressed', async () => {
    const name = unique('kept');
    await visit('under', async (page) => {
      await open(page, 'Teams');
      await page.getByRole('button', { name: 'Add a team' }).click();
      const field = page.getByLabel('Name', { exact: true });
      await field.fill(name);
      await endSessionAt(page, '**/api/v4/teams');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.getByLabel('Password').blur();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      assert.equal(await page.getByRole('combobox', { name: 'Go to' }).count(), 0);
      await dialog.getByLabel('Password').fill(process.env.HOOKLINE_ADMIN_PASSWORD);
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await field.inputValue(), name);
    });
  });

  test('the palette closes when the session ends', () =>
    visit('away', async (page) => {
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('combobox', { name: 'Go to' });
      await palette.waitFor();
      await endSessionAt(page, '**/api/v4/users/search');
      await palette.fill('somebody');
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
      await palette.waitFor({ state: 'detached' });
    }));

  test('a late refusal of the previous session does not ask for another login', () =>
    visit('late', async (page) => {
      const draft = page.getByLabel('Write a message');
      const text = unique('after');
      await page.goto(placeOf(scene.channel));
      await draft.fill(text);
      await page.getByText('Connected', { exact: true }).waitFor();
      const reads = `**/channels/${scene.channel.id}/posts*`;
      let refuse;
      const isRefused = new Promise((resolve) => (refuse = resolve));
      const json = { id: 'test', message: 'Of the session before.', status_code: 401 };
      let isHeld = false;
      // No `times` here: Playwright releases held requests when the last route has had its turns.
      await page.route(reads, async (route) => {
        if (isHeld) return route.continue();
        isHeld = true;
        await isRefused;
        return route.fulfill({ status: 401, json });
      });
      const read = page.waitForRequest(reads);
      await post(scene.channel, 'What makes it read.');
      await read;
      await endSessionAt(page, '**/api/v4/posts');
      await page.getByRole('button', { name: 'Send' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByLabel('Password').fill(process.env.HOOKLINE_ADMIN_PASSWORD);
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      const late = page.waitForResponse((response) => response.status() === 401);
      refuse();
      await late;
      await page.getByRole('button', { name: 'Send' }).click();
      await messages(page).getByText(text).waitFor();
      assert.equal(await dialog.count(), 0);
    }));

  test('the focus stays on the page when its button is removed', async () => {
    const { user } = await buildUser(scene.admin, 'gone');
    await visit('focus', async (page) => {
      await page.goto(`${serverUrl}/#/people/${user.id}`);
      const button = page.getByRole('button', { name: 'Deactivate', exact: true });
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Deactivate', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await button.waitFor({ state: 'detached' });
      await eventually('the focus', () => page.locator('#main').evaluate((main) => main.matches(':focus')));
    });
  });
});
