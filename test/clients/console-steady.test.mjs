/** The console behaves correctly when data changes during an action or a request fails at first; in Chromium. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  button,
  confirm,
  describeConsole,
  endSessionAt,
  exactButton,
  go,
  gone,
  heading,
  hold,
  open,
  REFUSAL,
} from './support/console.mjs';
import { buildChannel, buildUser, eventually, serverUrl, unique, userPassword } from './support/scene.mjs';

describeConsole('steady', ({ scene, visit, buildMember, hookFor }) => {
  const post = (channel, message) => scene.admin.createPost({ channel_id: channel.id, message });
  const placeOf = (channel) => `${serverUrl}/#/channels?channel=${channel.id}`;
  const messages = (page) => page.getByRole('list', { name: 'Messages' });
  test('only a channel of the selected team is shared', async () => {
    const names = { name: unique('steady'), display_name: unique('Other') };
    const other = await scene.admin.createTeam({ ...names, type: 'O' });
    const invite = { ...names, default_team_id: scene.team.id };
    const { remote_cluster: peer } = await scene.admin.createRemoteCluster(invite);
    await visit('share', async (page) => {
      await page.route(`**/remotecluster/${peer.remote_id}`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), standing: 'online' } });
      });
      await go(page, `/connections/${peer.remote_id}`);
      await button(page, 'Share a channel').click();
      const dialog = page.getByRole('dialog');
      const channel = dialog.getByRole('combobox', { name: 'Channel' });
      await channel.selectOption({ label: scene.channel.display_name });
      await dialog.getByRole('combobox', { name: 'Team' }).selectOption({ label: other.display_name });
      await gone(channel.getByRole('option', { name: scene.channel.display_name }));
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
    const hook = await hookFor();
    await visit('counted', async (page) => {
      const { requests, release } = await hold(page, '**/recover', (one) => one.method() === 'POST');
      await go(page, `/outgoing/${hook.id}`);
      await button(page, 'Send missed deliveries again').click();
      const dialog = page.getByRole('dialog');
      const counted = dialog.getByText('Nothing has been missed since then.');
      await button(dialog, 'Count').click();
      await eventually('the first question', () => requests.length === 1);
      await dialog.getByLabel('Missed since').fill('2026-01-01T00:00:00');
      release();
      await button(dialog, 'Count').waitFor();
      assert.equal(await counted.count(), 0);
      await button(dialog, 'Count').click();
      await counted.waitFor();
    });
  });

  test('resets when another user has signed in in the same browser', async () => {
    const { user } = await buildMember();
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
      await go(page, '/channels');
      for (const list of ['**/users/me/teams', '**/users/me/teams/*/channels']) {
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
    visit('again', async (page) => {
      await page.route('**/users/me', (route) => route.fulfill(REFUSAL));
      await page.reload();
      const fault = page.getByRole('heading', { name: 'This page cannot be shown' });
      await fault.waitFor();
      await page.unroute('**/users/me');
      await button(page, 'Try again').click();
      await heading(page, 'Home').waitFor();
      await page.evaluate(() => sessionStorage.clear());
      await page.route('**/people-page*.js', (route) => route.abort());
      await go(page, '/people');
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
      await exactButton(page, '1 reply').click();
      await page.getByRole('dialog').getByText('A reply.').waitFor();
      await page.keyboard.press('Escape');
      await gone(page.getByRole('dialog'));
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
      await dialog.getByLabel('Password').fill(process.env.HOOKLINE_ADMIN_PASSWORD);
      await exactButton(dialog, 'Sign in').click();
      await gone(dialog);
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
      await gone(palette);
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
      await button(page, 'Send').click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByLabel('Password').fill(process.env.HOOKLINE_ADMIN_PASSWORD);
      await exactButton(dialog, 'Sign in').click();
      await gone(dialog);
      const late = page.waitForResponse((response) => response.status() === 401);
      refuse();
      await late;
      await button(page, 'Send').click();
      await messages(page).getByText(text).waitFor();
      assert.equal(await dialog.count(), 0);
    }));

  test('the focus stays on the page when its button is removed', async () => {
    const { user } = await buildUser(scene.admin, 'gone');
    await visit('focus', async (page) => {
      await go(page, `/people/${user.id}`);
      const button = exactButton(page, 'Deactivate');
      await button.focus();
      await page.keyboard.press('Enter');
      await confirm(page, 'Deactivate');
      await gone(button);
      await eventually('the focus', () => page.locator('#main').evaluate((main) => main.matches(':focus')));
    });
  });
});
