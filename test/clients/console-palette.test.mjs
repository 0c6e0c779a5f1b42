/** Opening pages and records by keyboard, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { open, openConsole } from './support/console.mjs';
import { buildUser, eventually, serverUrl, unique, userPassword } from './support/scene.mjs';

describe('the command palette of the console', () => {
  let console, scene;

  before(async () => {
    console = await openConsole('palette');
    scene = console.scene;
  });
  after(() => console?.close());

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
    await page.getByRole('listbox', { name: 'Places' }).waitFor({ state: 'detached' });
  };
  const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor();

  const outgoingHook = () => console.hookFor({ display_name: unique('Sought outgoing') });
  const incomingHook = (client, channel) =>
    client.createIncomingWebhook({
      channel_id: channel.id,
      display_name: unique('Sought incoming'),
      description: '',
    });
  const invited = async () => {
    const name = unique('sought-peer');
    const answer = await fetch(`${serverUrl}/api/v4/remotecluster`, {
      method: 'POST',
      headers: { authorization: `Bearer ${scene.admin.getToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, display_name: name, default_team_id: scene.team.id }),
    });
    assert.equal(answer.status, 201);
    return name;
  };
  const soughtChannel = (team, client = scene.admin) =>
    client.createChannel({
      team_id: team.id,
      name: unique('sought'),
      display_name: unique('Sought channel'),
      type: 'O',
    });

  test('finds records by their names, and a delivery by its id', async () => {
    const elsewhere = await scene.admin.createTeam({
      name: unique('elsewhere'),
      display_name: 'Elsewhere',
      type: 'O',
    });
    const channel = await soughtChannel(elsewhere);
    const incoming = await incomingHook(scene.admin, channel);
    const outgoing = await outgoingHook();
    const peer = await invited();
    const { user } = await buildUser(scene.admin, 'sought');
    await scene.admin.createPost({ channel_id: scene.channel.id, message: outgoing.trigger_words[0] });
    const sent = `${serverUrl}/api/v4/hooks/outgoing/${outgoing.id}/deliveries`;
    const [delivery] = await eventually('a delivery', async () => {
      const answer = await fetch(sent, { headers: { authorization: `Bearer ${scene.admin.getToken()}` } });
      const { deliveries } = await answer.json();
      return deliveries.length > 0 && deliveries;
    });
    await console.visit('records', async (page) => {
      await goTo(page, incoming.display_name.toUpperCase(), 'Incoming webhooks', incoming.display_name);
      await heading(page, incoming.display_name);
      await goTo(page, outgoing.display_name, 'Outgoing webhooks');
      await heading(page, outgoing.display_name);
      await goTo(page, channel.display_name, 'Channels');
      await heading(page, 'Channels');
      assert.ok(page.url().includes(channel.id));
      await goTo(page, peer, 'Secure connections');
      await heading(page, peer);
      await goTo(page, user.username.slice(0, -1), 'People', user.username);
      await heading(page, user.username);
      await goTo(page, delivery.id, 'Deliveries', outgoing.display_name);
      const dialog = page.getByRole('dialog', { name: 'Delivery' });
      await dialog.getByRole('link', { name: outgoing.display_name }).waitFor();
      await page.keyboard.press('Escape');
      await type(page, unique('nothing'));
      await page.getByText('No matches.').waitFor();
    });
  });

  test('shows at most five of a kind, the best match first', async () => {
    const name = unique('Many');
    for (let number = 0; number < 7; number++)
      await scene.admin.createIncomingWebhook({
        channel_id: scene.channel.id,
        display_name: number === 6 ? name : `${name} ${number}`,
        description: '',
      });
    await console.visit('many', async (page) => {
      await type(page, name);
      const hooks = option(page, 'Incoming webhooks', name);
      await hooks.first().waitFor();
      assert.equal(await hooks.count(), 5);
      assert.equal((await hooks.first().innerText()).trim(), name);
    });
  });

  test('opens pages while a search has no response, and when one fails', async () => {
    const hook = await incomingHook(scene.admin, scene.channel);
    await console.visit('faults', async (page) => {
      await page.route('**/api/v4/channels/search*', () => undefined); // never answered
      await page.route('**/api/v4/users/search', (route) =>
        route.fulfill({ status: 400, json: { message: 'It cannot.', id: 'x', request_id: '' } }),
      );
      await type(page, 'deliv');
      await page.getByText('Searching…').waitFor();
      await page.keyboard.press('Enter');
      await heading(page, 'Deliveries');
      await page.unroute('**/api/v4/channels/search*');
      await type(page, hook.display_name);
      await option(page, 'Incoming webhooks', hook.display_name).waitFor();
      await page.getByText('Could not search: people.').waitFor();
    });
  });

  test('is opened by a button, and closes with the page below it', () =>
    console.visit('gone', async (page) => {
      await open(page, 'Channels');
      const pages = page.getByRole('navigation', { name: 'Pages' });
      for (const [button, title] of [
        ['Search', 'Go to'],
        ['Keys', 'Keys'],
      ]) {
        await open(page, 'People');
        await pages.getByRole('button', { name: button, exact: true }).click();
        const dialog = page.getByRole('dialog', { name: title });
        await dialog.waitFor();
        await page.goBack();
        await dialog.waitFor({ state: 'detached' });
        await heading(page, 'Channels');
        await page.goForward();
        await heading(page, 'People');
        assert.equal(await dialog.count(), 0);
        await page.goBack();
        await heading(page, 'Channels');
      }
    }));

  test('finds only records of the member, and requests nothing else', async () => {
    const { user, client } = await buildUser(scene.admin, 'seeker');
    await scene.admin.addToTeam(scene.team.id, user.id);
    await scene.admin.addToChannel(user.id, scene.channel.id);
    const channel = await soughtChannel(scene.team, client);
    await scene.admin.updateTeamMemberSchemeRoles(scene.team.id, user.id, true, true);
    const hook = await incomingHook(client, channel);
    const options = { username: user.username, password: userPassword };
    await console.visit(
      'member',
      async (page) => {
        const refused = [];
        page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()));
        await goTo(page, hook.display_name, 'Incoming webhooks');
        await heading(page, hook.display_name);
        await goTo(page, channel.display_name, 'Channels');
        await heading(page, 'Channels');
        assert.ok(page.url().includes(channel.id));
        assert.deepEqual(refused, []);
      },
      options,
    );
  });
});
