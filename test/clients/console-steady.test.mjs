/** The console behaves correctly when data changes during an action or a request fails at first; in Chromium. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  button,
  choose,
  endSessionAt,
  exactButton,
  fillIn,
  go,
  gone,
  heading,
  hold,
  open,
  REFUSAL,
  useConsole,
} from './support/console.mjs';
import { adminPassword, buildChannel, eventually, serverUrl, unique } from './support/scene.mjs';

describe('the console: steady', () => {
  const { scene, visit, buildMember } = useConsole();

  const post = (channel, message) => scene.admin.createPost({ channel_id: channel.id, message });
  const placeOf = (channel) => `${serverUrl}/#/channels?channel=${channel.id}`;
  const messages = (page) => page.getByRole('list', { name: 'Messages' });
  const results = (page) => page.getByRole('list', { name: 'Search results' });
  async function signInAgain(page) {
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await fillIn(dialog, { Password: adminPassword }, 'Sign in');
    await gone(dialog);
  }
  async function searchFor(page, text) {
    await page.getByLabel('Search messages').fill(text);
    await page.getByLabel('Search messages').press('Enter');
  }

  test('only a channel of the selected team is shared', async () => {
    const names = { name: unique('steady'), display_name: unique('Other') };
    const other = await scene.admin.createTeam({ ...names, type: 'O' });
    const invite = { ...names, default_team_id: scene.team.id };
    const { remote_cluster: peer } = await scene.admin.createRemoteCluster(invite);
    await visit(async (page) => {
      await page.route(`**/remotecluster/${peer.remote_id}`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), standing: 'online' } });
      });
      await go(page, `/connections/${peer.remote_id}`);
      await button(page, 'Share a channel').click();
      const dialog = page.getByRole('dialog');
      const channel = dialog.getByRole('combobox', { name: 'Channel' });
      await choose(channel, scene.channel.display_name);
      await choose(dialog.getByRole('combobox', { name: 'Team' }), other.display_name);
      await gone(channel.getByRole('option', { name: scene.channel.display_name }));
      assert.equal(await channel.inputValue(), '');
    });
  });

  test('resets when another user has signed in in the same browser', async () => {
    const { login } = await buildMember();
    await visit(async (page, context) => {
      const draft = page.getByLabel('Write a message');
      await page.goto(placeOf(scene.channel));
      await draft.fill('Of the administrator.');
      await page.getByText('Connected', { exact: true }).waitFor();
      const headers = { 'X-Requested-With': 'XMLHttpRequest' };
      const data = { login_id: login.username, password: login.password };
      await page.request.post(`${serverUrl}/api/v4/users/login`, { data, headers });
      await context.setOffline(true);
      await page.getByText('Not connected; retrying').waitFor();
      await context.setOffline(false);
      await button(page, `Account menu, ${login.username}`).waitFor();
      await draft.waitFor();
      assert.equal(await draft.inputValue(), '');
    });
  });

  test('a busy channel sends one request at a time, and another channel none', async () => {
    const busy = await buildChannel(scene.admin, scene.team.id, 'busy');
    await visit(async (page) => {
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
    visit(async (page) => {
      await go(page, '/channels');
      for (const list of ['**/users/me/teams', '**/users/me/channels']) {
        await page.route(list, (route) => route.fulfill(REFUSAL));
        await page.reload();
        await page.getByText('Refused by the test.').first().waitFor();
        assert.equal(await page.getByText('You are not in a team yet.').count(), 0);
        await page.unroute(list);
        await button(page, 'Try again').click();
        await page.getByLabel('Write a message').waitFor();
      }
    }));

  test('a page that failed to load is retried, and does not affect the others', () =>
    visit(async (page) => {
      await page.route('**/users/me', (route) => route.fulfill(REFUSAL));
      await page.reload();
      const fault = page.getByRole('alert', { name: 'This page cannot be shown' });
      await fault.waitFor();
      await page.unroute('**/users/me');
      await button(page, 'Try again').click();
      await heading(page, 'Overview').waitFor();
      await page.evaluate(() => sessionStorage.clear());
      await page.route('**/people-page*.js', (route) => route.abort());
      await go(page, '/people');
      await fault.waitFor();
      await open(page, 'Teams');
      assert.equal(await fault.count(), 0);
    }));

  test('Back returns to the former filter, tab and list', () =>
    visit(async (page) => {
      await go(page, '/people');
      await page.getByRole('tab', { name: 'Bots' }).click();
      await page.waitForURL(/tab=bots/);
      await open(page, 'System');
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByLabel('Search settings').fill('SITE');
      await page.waitForURL(/search=SITE/);
      for (const place of [/tab=settings$/, /\/system$/, /tab=bots$/, /\/people$/]) {
        await page.goBack();
        await page.waitForURL(place);
      }
    }));

  test('a search survives closing a thread, and says when nothing is found', async () => {
    const word = unique('needle');
    const root = await post(scene.channel, `${word} in a stack`);
    await scene.admin.createPost({ channel_id: scene.channel.id, root_id: root.id, message: 'A reply.' });
    await visit(async (page) => {
      await page.goto(placeOf(scene.channel));
      await searchFor(page, word);
      await results(page).getByText(word).waitFor();
      await exactButton(results(page), '1 reply').click();
      await page.getByRole('dialog').getByText('A reply.').waitFor();
      await page.keyboard.press('Escape');
      await gone(page.getByRole('dialog'));
      assert.equal(await page.getByLabel('Search messages').inputValue(), word);
      await results(page).getByText(word).waitFor();
      await post(scene.channel, `another ${word}`);
      await page.getByLabel('Search messages').press('Enter');
      await results(page).getByText(`another ${word}`).waitFor();
      await searchFor(page, unique('nowhere'));
      await page.getByText('No messages found.').waitFor();
    });
  });

  test('the form under the login dialog is kept, no matter which key is pressed', async () => {
    const name = unique('kept');
    await visit(async (page) => {
      await open(page, 'Teams');
      await button(page, 'Add a team').click();
      const field = page.getByLabel('Name', { exact: true });
      await field.fill(name);
      await endSessionAt(page, '**/api/v4/teams');
      await exactButton(page, 'Add').click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.getByLabel('Password').blur();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      assert.equal(await page.getByRole('combobox', { name: 'Go to' }).count(), 0);
      await signInAgain(page);
      assert.equal(await field.inputValue(), name);
    });
  });

  test('the palette closes when the session ends', () =>
    visit(async (page) => {
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('combobox', { name: 'Go to' });
      await palette.waitFor();
      await endSessionAt(page, '**/api/v4/users/search');
      await palette.fill('somebody');
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
      await gone(palette);
    }));

  test('a late refusal of the previous session does not ask for another login', () =>
    visit(async (page) => {
      const draft = page.getByLabel('Write a message');
      const text = unique('after');
      await page.goto(placeOf(scene.channel));
      await draft.fill(text);
      await page.getByText('Connected', { exact: true }).waitFor();
      const reads = `**/channels/${scene.channel.id}/posts*`;
      let refuse;
      const isRefused = new Promise((resolve) => (refuse = resolve));
      const json = { id: 'test', message: 'Of the session before.', status_code: 401 };
      let count = 0;
      // No `times` here: Playwright releases held requests when the last route has had its turns.
      await page.route(reads, (route) =>
        count++ > 0 ? route.continue() : isRefused.then(() => route.fulfill({ status: 401, json })),
      );
      const read = page.waitForRequest(reads);
      await post(scene.channel, 'What makes it read.');
      await read;
      await endSessionAt(page, '**/api/v4/posts');
      await button(page, 'Send').click();
      await signInAgain(page);
      const late = page.waitForResponse((response) => response.status() === 401);
      refuse();
      await late;
      await button(page, 'Send').click();
      await messages(page).getByText(text).waitFor();
      assert.equal(await page.getByRole('dialog').count(), 0);
    }));
});
