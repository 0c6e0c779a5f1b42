/** Forms, dialogs, keys and the command palette of the console, in Chromium. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  button,
  chooseInAccountMenu,
  copied,
  exactButton,
  fillIn,
  go,
  gone,
  hasFocus,
  heading,
  open,
  pressAndConfirm,
  REFUSAL,
  useConsole,
} from './support/console.mjs';
import { buildUser, eventually, postsIn, serverUrl, unique, userPassword } from './support/scene.mjs';

describe('the console: typing and pressing', () => {
  const { scene, visit, incomingHookFor, buildMember } = useConsole();

  /** As on a server without TLS. */
  const asWithoutTls = (page) =>
    page.evaluate(`Object.defineProperty(window, 'isSecureContext', { value: false })`);

  test('shows a member webhooks in plain words, and offers only actions that can succeed', async () => {
    const { login } = await buildMember();
    await visit(async (page) => {
      for (const place of ['incoming', 'outgoing']) {
        await go(page, `/${place}`);
        await page.getByText('Only administrators can manage the webhooks of a team.').waitFor();
        assert.equal(await exactButton(page, 'Add a webhook').count(), 0);
        assert.equal(await page.getByRole('alert').count(), 0);
      }
      for (const name of ['System', 'Secure connections', 'Incoming', 'Outgoing'])
        assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0);
      await open(page, 'Overview');
      const links = page.getByRole('main').getByRole('link');
      await links.filter({ hasText: 'All channels' }).waitFor();
      await links.filter({ hasText: scene.channel.display_name }).waitFor();
      assert.equal(await page.getByRole('alert').count(), 0);
      assert.equal(await exactButton(page, 'Try again').count(), 0);
      for (const href of await links.evaluateAll((all) => all.map((one) => one.getAttribute('href'))))
        assert.match(href, /^\/?#\/channels/);
    }, login);
  });

  test('text typed in a search stays in its field', () =>
    visit(async (page) => {
      for (const [place, name] of [
        ['/incoming', 'Search webhooks'],
        ['/teams', 'Search teams'],
        ['/endpoints', 'Search endpoints'],
        ['/people', 'Search people'],
        ['/system?tab=settings', 'Search settings'],
      ]) {
        await go(page, place);
        const field = page.getByLabel(name);
        await field.pressSequentially('beg-end');
        for (let at = 0; at < '-end'.length; at++) await field.press('ArrowLeft');
        await field.pressSequentially('inning');
        assert.equal(await field.inputValue(), 'beginning-end', place);
        await page.waitForURL(/=beginning-end$/);
        await go(
          page,
          `${place}${place.includes('?') ? '&' : '?'}${place === '/endpoints' ? 'term' : 'search'}=other`,
        );
        await page.waitForFunction((one) => one.value === 'other', await field.elementHandle());
      }
    }));

  test('a call is replayed once per click, and its result is shown', async () => {
    const hook = await incomingHookFor({ keep_requests: true });
    const send = (text, rest = '') =>
      fetch(`${serverUrl}/hooks/${hook.id}`, { method: 'POST', body: JSON.stringify({ text }) + rest });
    const text = unique('replayed');
    assert.equal((await send(text)).status, 200);
    const count = async () =>
      (await postsIn(scene.admin, scene.channel.id)).filter(({ message }) => message === text).length;
    await visit(async (page) => {
      const show = () => page.getByRole('row').nth(1).click();
      await go(page, `/incoming/${hook.id}?tab=calls`);
      await show();
      const dialog = page.getByRole('dialog');
      await button(dialog, 'Replay').click();
      await dialog.getByRole('status').getByText('Replayed. One message was posted.').waitFor();
      assert.equal(await count(), 2);
      assert.equal((await send(unique('long'), ' '.repeat(70_000))).status, 200);
      await page.keyboard.press('Escape');
      await page.getByRole('cell', { name: /^70\d{3} bytes$/ }).waitFor();
      await show();
      await dialog.getByText('cannot be replayed').waitFor();
      assert.equal(await button(dialog, 'Replay').count(), 0);
    });
  });

  test('copying reports its result, and keeps the focus', () =>
    visit(async (page) => {
      await go(page, `/incoming/${scene.hook.id}`);
      const copy = exactButton(page, 'Copy the URL');
      await copy.waitFor();
      await asWithoutTls(page);
      await copy.click();
      await copy.getByText('Copied').waitFor();
      assert.ok(await hasFocus(copy));
      assert.equal(await copied(page), scene.hookUrl);
      await gone(copy.getByText('Copied'));
      await page.evaluate('document.execCommand = () => false; undefined');
      await copy.click();
      await copy.getByText('Could not copy').waitFor();
      assert.ok(await hasFocus(copy));
    }));

  test('copies a secret from a dialog without TLS', () =>
    visit(async (page) => {
      await go(page, `/people/${scene.me.id}`);
      await exactButton(page, 'Create token').click();
      await asWithoutTls(page);
      await fillIn(page.getByRole('dialog'), { Description: 'Copied.' }, 'Create token');
      const token = await page.getByLabel('the token', { exact: true }).innerText();
      await exactButton(page, 'Copy the token').click();
      await page.getByText('Copied', { exact: true }).waitFor();
      assert.equal(await copied(page), token);
    }));

  test('required fields are reported next to the field, in a dialog whose buttons stay visible', () =>
    visit(async (page) => {
      await page.setViewportSize({ width: 1280, height: 500 });
      await open(page, 'Outgoing');
      await exactButton(page, 'Add a webhook').first().click();
      const dialog = page.getByRole('dialog');
      const name = dialog.getByLabel('Name', { exact: true });
      await name.waitFor();
      const isInSight = async (one) => {
        const { y, height } = await one.boundingBox();
        return y >= 0 && y + height <= 500;
      };
      for (const button of ['Close', 'Cancel', 'Add'])
        assert.ok(await isInSight(exactButton(dialog, button)), button);
      await exactButton(dialog, 'Add').click();
      await dialog.getByRole('alert').filter({ hasText: 'Name is required.' }).waitFor();
      assert.equal(await name.getAttribute('aria-invalid'), 'true');
      assert.ok(await hasFocus(name));
      await name.fill('x');
      await gone(dialog.getByText('Name is required.'));
      const question = page.getByRole('dialog', { name: 'Discard your changes?' });
      await page.goBack();
      await button(question, 'Keep editing').click();
      await gone(question);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Go to' }).fill('Endpoints');
      await page.getByRole('option', { name: 'Endpoints' }).first().waitFor();
      await page.keyboard.press('Enter');
      await button(question, 'Keep editing').click();
      await gone(question);
      assert.equal(await name.inputValue(), 'x');
      await button(dialog, 'Cancel').click();
      await exactButton(page, 'Discard').click();
      await gone(dialog);

      await go(page, '/people');
      await exactButton(page, 'Add a person').click();
      await fillIn(dialog, { Email: 'nobody' }, 'Add');
      await dialog.getByText('This is not an email address.').waitFor();
    }));

  test('unreadable data is reported, not omitted', () =>
    visit(async (page) => {
      await page.route(/hooks.outgoing.(endpoints|deliveries.stats)|channels.[a-z0-9]+.posts/, (route) =>
        route.fulfill(REFUSAL),
      );
      await page.reload();
      const main = page.getByRole('main');
      const day = main.getByRole('region', { name: 'Attempts' });
      await day.getByText('Refused by the test.').waitFor();
      await main.getByRole('alert').filter({ hasText: 'Refused by the test.' }).nth(1).waitFor();
      const steps = main.getByRole('region', { name: 'First steps' });
      const show = button(steps, 'Show the first steps');
      if ((await show.count()) > 0) await show.click();
      await steps.getByText('Refused by the test.').waitFor();
      assert.equal(await steps.getByText('No messages yet.').count(), 0);
      await open(page, 'Endpoints');
      await main.getByText('Refused by the test.').waitFor();
      assert.equal(await page.getByText('No endpoints match').count(), 0);
    }));

  test('late data is shown with its age, and so is data without a count', () =>
    visit(async (page) => {
      const oldest = Date.now() - 3_600_000;
      const late = { overdue_count: 2, oldest_due_at: oldest };
      const counts = { total_count: 0, failing_count: 0, disabled_count: 0 };
      await page.route('**/hooks/outgoing/endpoints?*', (route) =>
        route.fulfill({ json: { endpoints: [], ...counts, ...late } }),
      );
      await page.route('**/hooks/outgoing/deliveries?*per_page=200*', (route) =>
        route.fulfill({
          json: { deliveries: Array(200).fill({ create_at: oldest }), next_cursor: 'more' },
        }),
      );
      await page.reload();
      const told = page.getByText(/Deliveries to 2 endpoints are overdue; the first was due 1 h ago/);
      await told.waitFor();
      await go(page, '/system');
      await told.waitFor();
      await page.getByText(/200 or more deliveries are waiting; the console counts no further/).waitFor();
      await page.getByRole('link', { name: 'Show the longest waiting' }).click();
      await page.waitForURL(new RegExp(`status=pending.*before=.*${oldest + 1}`));
    }));

  test('times update, every second at first, and the first hour of a day is not its 25th', async () => {
    const hook = await incomingHookFor();
    const hour = new Date().getUTCHours();
    const timezoneId = `Etc/GMT${hour > 12 ? `-${24 - hour}` : `+${hour}`}`; // where it is just past midnight
    await visit(
      async (page) => {
        await page.clock.install();
        await go(page, `/incoming/${hook.id}`);
        await page.reload();
        const created = page.locator('dl.facts > dd').last().getByRole('time');
        await created.waitFor();
        await page.getByText('admin', { exact: true }).nth(1).waitFor(); // the last one that arrives and redraws the page
        const said = await created.innerText();
        await page.clock.fastForward('00:03');
        await eventually('other seconds', async () => (await created.innerText()) !== said, 10_000);
        await page.clock.fastForward('02:00:00');
        await created.getByText('2 h ago', { exact: true }).waitFor();
        await go(page, '/audit');
        const done = page.getByRole('region', { name: 'Audit log' }).getByRole('time').first();
        assert.match(await done.innerText(), / (?:UTC|GMT\S*)$/);
        assert.equal(await page.getByRole('time').filter({ hasText: / 24:/ }).count(), 0);
      },
      { locale: 'en-US', timezoneId },
    );
  });
});

describe('the console: dialogs', () => {
  const { scene, visit, hookFor, say } = useConsole();

  const inDialog = (page, name) => exactButton(page.getByRole('dialog'), name);

  test('stay open while a form is sent, and show why it was refused', () =>
    visit(async (page) => {
      const name = unique('sent');
      let refuse;
      const isRefused = new Promise((resolve) => (refuse = resolve));
      await page.route('**/api/v4/teams', (route) => isRefused.then(() => route.fulfill(REFUSAL)));
      await open(page, 'Teams');
      await button(page, 'Add a team').click();
      const field = page.getByLabel('Name', { exact: true });
      await field.fill(name);
      await inDialog(page, 'Add').click();
      await eventually('a disabled button', () => inDialog(page, 'Add').isDisabled());
      await page.keyboard.press('Escape');
      assert.ok(await inDialog(page, 'Cancel').isDisabled());
      assert.ok(await inDialog(page, 'Close').isDisabled());
      refuse();
      await page.getByRole('dialog').getByText('Refused by the test.').waitFor();
      assert.equal(await field.inputValue(), name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'Discard your changes?' }).waitFor();
      await inDialog(page, 'Discard').click();
      await gone(field);
    }));

  test('do not ask for confirmation if there is no text to discard, or if it is saved', () =>
    visit(async (page) => {
      await page.route(`**/api/v4/hooks/incoming/${scene.hook.id}`, (route) =>
        route.request().method() === 'DELETE' ? route.fulfill(REFUSAL) : route.continue(),
      );
      await go(page, `/incoming/${scene.hook.id}?tab=settings`);
      await pressAndConfirm(page, 'Delete');
      await page.getByRole('dialog').getByText('Refused by the test.').waitFor();
      await page.keyboard.press('Escape');
      await gone(page.getByRole('dialog'));

      const post = await say('What do you think?');
      await go(page, `/channels?channel=${scene.channel.id}&thread=${post.id}`);
      const reply = page.getByRole('dialog').getByLabel('Write a reply');
      await reply.fill('I think');
      await page.keyboard.press('Escape');
      await gone(page.getByRole('dialog'));
      await go(page, `/channels?channel=${scene.channel.id}&thread=${post.id}`);
      await reply.waitFor();
      assert.equal(await reply.inputValue(), 'I think');
    }));

  test('let an administrator who is in no channel of the team change its webhooks', async () => {
    const { user } = await buildUser(scene.admin, 'boss');
    await scene.admin.updateUserRoles(user.id, 'system_user system_admin');
    const name = unique('changed');
    const hook = await hookFor();
    await visit(
      async (page) => {
        await go(page, `/outgoing/${hook.id}`);
        await page.getByText('another channel').waitFor();
        await exactButton(page, 'Edit').click();
        await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name);
        await inDialog(page, 'Save').click();
        await heading(page, name).waitFor();
      },
      { username: user.username, password: userPassword },
    );
    const changed = await scene.admin.getOutgoingWebhook(hook.id);
    assert.deepEqual([changed.display_name, changed.channel_id], [name, scene.channel.id]);
  });

  test('change only the administrator role of a user', async () => {
    const { user } = await buildUser(scene.admin, 'roles');
    const other = 'system_user_access_token';
    await scene.admin.updateUserRoles(user.id, `system_user ${other}`);
    const rolesAre = (...roles) =>
      eventually('the roles', async () => {
        const now = (await scene.admin.getUser(user.id)).roles.split(' ');
        return JSON.stringify(now.toSorted()) === JSON.stringify(roles.toSorted());
      });
    await visit(async (page) => {
      await go(page, `/people/${user.id}`);
      const make = async (role) => {
        await pressAndConfirm(page, `Make ${role}`);
        await gone(page.getByRole('dialog'));
      };
      await make('administrator');
      await rolesAre('system_admin', 'system_user', other);
      await make('member');
      await rolesAre('system_user', other);
    });
  });

  test('describe a field by its hint and by its error', () =>
    visit(async (page) => {
      await open(page, 'People');
      await button(page, 'Add a person').click();
      const dialog = page.getByRole('dialog');
      const hinted = dialog
        .locator('[data-field]')
        .filter({ has: page.locator('.mantine-InputWrapper-description') })
        .first();
      const hint = await hinted.locator('.mantine-InputWrapper-description').innerText();
      const control = hinted.locator('input, select, textarea').first();
      const description = () =>
        control.evaluate((element) =>
          (element.getAttribute('aria-describedby') ?? '')
            .split(/ +/)
            .map((id) => element.ownerDocument.getElementById(id)?.textContent)
            .join(' '),
        );
      await control.waitFor();
      assert.equal(await description(), hint);
      await inDialog(page, 'Add').click();
      await hinted.getByRole('alert').waitFor();
      const wrong = await hinted.getByRole('alert').innerText();
      assert.equal(await description(), `${wrong} ${hint}`);
    }));
});

/** More rows than a page shows. */
const MAX_STOPS = 120;

describe('the console: keyboard', () => {
  const { receiver, visit, hookFor, callWith } = useConsole();

  async function tabTo(page, control) {
    await control.waitFor();
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      if (await hasFocus(control)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`Cannot be reached: ${control}`);
  }

  async function press(page, name) {
    await tabTo(page, exactButton(page, name));
    await page.keyboard.press('Enter');
  }

  async function type(page, label, text) {
    await tabTo(page, page.getByLabel(label, { exact: true }));
    await page.keyboard.type(text);
  }

  async function goTo(page, name, title) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await heading(page, title).waitFor();
  }

  test('goes to a page, and searches there', () =>
    visit(async (page) => {
      await goTo(page, 'outg', 'Outgoing webhooks');
      await page.keyboard.press('/');
      await page.keyboard.type('abc');
      assert.equal(await page.getByLabel('Search webhooks').inputValue(), 'abc');
    }));

  test('handles console shortcuts on a checkbox too, and ignores other keys', async () => {
    await callWith(await hookFor(), {});
    await visit(async (page) => {
      const slash = { key: '/', bubbles: true, cancelable: true };
      const isTaken = () =>
        page.evaluate((init) => {
          const { document, KeyboardEvent } = globalThis;
          return !document.body.dispatchEvent(new KeyboardEvent('keydown', init));
        }, slash);
      await heading(page, 'Overview').waitFor();
      assert.equal(await isTaken(), false);
      await goTo(page, 'outg', 'Outgoing webhooks');
      assert.equal(await isTaken(), true);
      await goTo(page, 'deliv', 'Deliveries');
      const box = page.getByRole('checkbox', { name: /^Select the/ }).first();
      await box.focus();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    });
  });

  test('completes the three first steps', () =>
    visit(async (page) => {
      await press(page, 'Copy the first command');
      await page.getByText('Copied', { exact: true }).waitFor();
      const [url] = (await copied(page)).match(/http\S+$/);
      const text = unique('first');
      await fetch(url, { method: 'POST', body: JSON.stringify({ text }) });
      await page.getByText(text).waitFor();

      const name = unique('second');
      await goTo(page, 'outg', 'Outgoing webhooks');
      await press(page, 'Add a webhook');
      await type(page, 'Name', name);
      const word = unique('deploy');
      await tabTo(page, page.getByRole('combobox', { name: 'Channel' }));
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await type(page, 'Trigger words, one per line', word);
      await type(page, 'URLs, one per line', receiver.url);
      await press(page, 'Add');
      await heading(page, name).waitFor();
      await goTo(page, 'chan', 'Channels');
      const { received } = receiver;
      const before = received.length;
      await type(page, 'Write a message', word);
      await press(page, 'Send');
      await page.getByText(receiver.text).waitFor();
      assert.equal(received.length, before + 1);

      await goTo(page, 'secure', 'Secure connections');
      await press(page, 'Invite a server');
      await type(page, 'Name', unique('third'));
      await page.keyboard.press('Enter');
      await press(page, 'Copy the invite');
      await page.getByText('Copied', { exact: true }).waitFor();
      assert.ok((await copied(page)).length > 100);
    }));
});

describe('the console: palette', () => {
  const { scene, visit, api, hookFor, callWith, buildMember } = useConsole();

  const type = async (page, text) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill(text);
  };
  const option = (page, kind, name) =>
    page
      .getByRole('listbox', { name: 'Places' })
      .getByRole('group', { name: kind })
      .getByRole('option', { name });
  /** Selects it by arrow keys, as soon as it is found. */
  const goTo = async (page, text, kind, name = text) => {
    await type(page, text);
    const wanted = option(page, kind, name);
    await wanted.waitFor();
    for (let stop = 0; (await wanted.getAttribute('aria-selected')) !== 'true'; stop++) {
      assert.ok(stop < 40, `Cannot be reached: ${name}`);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await gone(page.getByRole('listbox', { name: 'Places' }));
  };
  const incomingHook = (client, channel) =>
    client.createIncomingWebhook({ channel_id: channel.id, display_name: unique('Sought incoming') });
  const soughtChannel = (team, client = scene.admin) =>
    client.createChannel({
      ...{ team_id: team.id, name: unique('sought'), display_name: unique('Sought channel'), type: 'O' },
    });

  test('finds records by their names, and a delivery by its id', async () => {
    const team = { name: unique('elsewhere'), display_name: 'Elsewhere', type: 'O' };
    const channel = await soughtChannel(await scene.admin.createTeam(team));
    const incoming = await incomingHook(scene.admin, channel);
    const outgoing = await hookFor({ display_name: unique('Sought outgoing') });
    const peer = unique('sought-peer');
    const invite = { name: peer, display_name: peer, default_team_id: scene.team.id };
    await api('/remotecluster', { method: 'POST', body: invite });
    const { user } = await buildUser(scene.admin, 'sought');
    const delivery = await callWith(outgoing, {});
    await visit(async (page) => {
      await goTo(page, incoming.display_name.toUpperCase(), 'Incoming webhooks', incoming.display_name);
      await heading(page, incoming.display_name).waitFor();
      await goTo(page, outgoing.display_name, 'Outgoing webhooks');
      await heading(page, outgoing.display_name).waitFor();
      await goTo(page, channel.display_name, 'Channels');
      await heading(page, 'Channels').waitFor();
      assert.ok(page.url().includes(channel.id));
      await goTo(page, peer, 'Secure connections');
      await heading(page, peer).waitFor();
      await goTo(page, user.username.slice(0, -1), 'People', user.username);
      await heading(page, user.username).waitFor();
      await goTo(page, delivery.id, 'Deliveries', outgoing.display_name);
      const dialog = page.getByRole('dialog', { name: 'Delivery' });
      await dialog.getByRole('link', { name: outgoing.display_name }).waitFor();
      await page.keyboard.press('Escape');
      await type(page, unique('nothing'));
      await page.getByText('No results.').waitFor();
    });
  });

  test('opens pages while a search has no response, and when one fails', async () => {
    const hook = await incomingHook(scene.admin, scene.channel);
    await visit(async (page) => {
      await page.route('**/api/v4/channels/search*', () => undefined); // never answered
      await page.route('**/api/v4/users/search', (route) => route.fulfill(REFUSAL));
      await type(page, 'deliv');
      await page.getByText('Searching…').waitFor();
      await page.keyboard.press('Enter');
      await heading(page, 'Deliveries').waitFor();
      await page.unroute('**/api/v4/channels/search*');
      await type(page, hook.display_name);
      await option(page, 'Incoming webhooks', hook.display_name).waitFor();
      await page.getByText('Could not search: people.').waitFor();
    });
  });

  test('is opened by a button, and closes with the page below it', () =>
    visit(async (page) => {
      await open(page, 'Channels');
      for (const [opens, title] of [
        [() => exactButton(page, 'Search').click(), 'Go to'],
        [() => chooseInAccountMenu(page, 'Keyboard shortcuts'), 'Keyboard shortcuts'],
      ]) {
        await open(page, 'People');
        await opens();
        const dialog = page.getByRole('dialog', { name: title });
        await dialog.waitFor();
        await page.goBack();
        await gone(dialog);
        await heading(page, 'Channels').waitFor();
        await page.goForward();
        await heading(page, 'People').waitFor();
        assert.equal(await dialog.count(), 0);
        await page.goBack();
        await heading(page, 'Channels').waitFor();
      }
    }));

  test('finds only records of the member, and requests nothing else', async () => {
    const { client, login } = await buildMember({ isTeamAdmin: true });
    const channel = await soughtChannel(scene.team, client);
    const hook = await incomingHook(client, channel);
    await visit(async (page) => {
      const refused = [];
      page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()));
      await goTo(page, hook.display_name, 'Incoming webhooks');
      await heading(page, hook.display_name).waitFor();
      await goTo(page, channel.display_name, 'Channels');
      await heading(page, 'Channels').waitFor();
      assert.ok(page.url().includes(channel.id));
      assert.deepEqual(refused, []);
    }, login);
  });
});
