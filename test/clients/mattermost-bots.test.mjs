/** @mattermost/client, Client4: bots, and ways to find channels and users. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  assertRefused,
  buildChannel,
  buildUser,
  newClient,
  postsIn,
  serverUrl,
  signIn,
  unique,
  unknownId,
  userPassword,
} from './support/scene.mjs';

const forbidden = 'api.context.permissions.app_error';
const botMissing = 'store.sql_bot.get.missing.app_error';
const idsOf = (records, key = 'id') => records.map((record) => record[key]).sort();

describe('@mattermost/client: bots', () => {
  let admin;
  let me;
  let team;

  before(async () => {
    admin = await signIn();
    me = await admin.getMe();
    team = await admin.createTeam({ name: unique('bots'), display_name: 'Bots', type: 'O' });
  });

  const buildBot = () =>
    admin.createBot({ username: unique('bot'), display_name: 'Builds', description: 'Reports builds.' });

  async function clientOf(bot) {
    const { token } = await admin.createUserAccessToken(bot.user_id, 'for the bot');
    const client = newClient();
    client.setToken(token);
    return client;
  }

  test('createBot, getBot, patchBot, and the account of the bot', async () => {
    const bot = await buildBot();
    assert.equal(bot.owner_id, me.id);
    assert.deepEqual(await admin.getBot(bot.user_id), bot);
    const patched = await admin.patchBot(bot.user_id, { display_name: 'Releases' });
    assert.equal(patched.display_name, 'Releases');
    assert.equal(patched.description, bot.description);
    const account = await admin.getUser(bot.user_id);
    assert.equal(account.is_bot, true);
    assert.equal(account.bot_description, bot.description);
  });

  test('a bot with a token posts as a bot, and owns webhooks', async () => {
    const bot = await buildBot();
    await admin.addToTeam(team.id, bot.user_id);
    await admin.updateTeamMemberSchemeRoles(team.id, bot.user_id, true, true);
    const client = await clientOf(bot);
    assert.equal((await client.getMe()).id, bot.user_id);
    const channel = await buildChannel(client, team.id, 'bots');
    const hook = await client.createIncomingWebhook({
      channel_id: channel.id,
      display_name: 'Hook of a bot',
      description: '',
    });
    assert.equal(hook.user_id, bot.user_id);
    await client.createPost({ channel_id: channel.id, message: 'by token' });
    const answer = await fetch(`${serverUrl}/hooks/${hook.id}`, {
      method: 'POST',
      body: JSON.stringify({ text: 'by webhook' }),
    });
    assert.equal(await answer.text(), 'ok');
    const posts = await postsIn(client, channel.id);
    assert.deepEqual(
      posts.map(({ message, user_id: author, props }) => [message, author, props.from_bot]),
      [
        ['by webhook', bot.user_id, 'true'],
        ['by token', bot.user_id, 'true'],
      ],
    );
  });

  test('disableBot ends its sessions, enableBot restores them; getBots lists a disabled bot on request', async () => {
    const bot = await buildBot();
    const client = await clientOf(bot);
    await client.getMe();
    const disabled = await admin.disableBot(bot.user_id);
    assert.ok(disabled.delete_at > 0);
    await assertRefused(client.getMe(), 401, 'api.context.session_expired.app_error');
    const listed = async (list) => idsOf(await list(0, 200), 'user_id').includes(bot.user_id);
    assert.equal(await listed(admin.getBots), false);
    assert.equal(await listed(admin.getBotsIncludeDeleted), true);
    assert.equal((await admin.enableBot(bot.user_id)).delete_at, 0);
    assert.equal(await listed(admin.getBots), true);
    assert.equal((await client.getMe()).id, bot.user_id);
  });

  test('assignBot; a bot whose owner is deactivated is disabled, and an orphan when enabled again', async () => {
    const bot = await buildBot();
    const { user } = await buildUser(admin, 'owner');
    assert.equal((await admin.assignBot(bot.user_id, user.id)).owner_id, user.id);
    await admin.updateUserActive(user.id, false);
    await assertRefused(admin.getBot(bot.user_id), 404, botMissing);
    await admin.enableBot(bot.user_id);
    const orphaned = await admin.getBotsOrphaned(0, 200);
    assert.ok(idsOf(orphaned, 'user_id').includes(bot.user_id));
  });

  test('a bot that is converted to a user signs in, and is not a bot', async () => {
    const bot = await buildBot();
    const answer = await fetch(`${admin.getBotRoute(bot.user_id)}/convert_to_user`, {
      ...admin.getOptions({ method: 'post', body: JSON.stringify({ password: userPassword }) }),
    });
    assert.equal(answer.status, 200);
    await assertRefused(admin.getBot(bot.user_id), 404, botMissing);
    const person = await signIn(bot.username, userPassword);
    assert.equal((await person.getMe()).id, bot.user_id);
  });

  test('a user who is converted to a bot cannot sign in', async () => {
    const { user } = await buildUser(admin, 'person');
    const answer = await fetch(`${admin.getUserRoute(user.id)}/convert_to_bot`, {
      ...admin.getOptions({ method: 'post' }),
    });
    assert.equal((await answer.json()).user_id, user.id);
    assert.equal((await admin.getBot(user.id)).username, user.username);
    const botLogin = 'api.user.login.bot_login_forbidden.app_error';
    await assertRefused(signIn(user.username, userPassword), 401, botLogin);
  });

  test('refused: unknown bots, and callers without the permission', async () => {
    await assertRefused(admin.getBot(unknownId), 404, botMissing);
    await assertRefused(admin.getBot(me.id), 404, botMissing);
    const { client } = await buildUser(admin, 'stranger');
    await assertRefused(client.createBot({ username: unique('bot') }), 403, forbidden);
    await assertRefused(client.getBots(), 403, forbidden);
  });
});

describe('@mattermost/client: finding channels and users', () => {
  let admin;
  let team;
  let open;
  let closed;
  let member;

  before(async () => {
    admin = await signIn();
    team = await admin.createTeam({ name: unique('find'), display_name: 'Find', type: 'O' });
    open = await buildChannel(admin, team.id, 'harbour');
    closed = await buildChannel(admin, team.id, 'harbour', 'P');
    member = await buildUser(admin, 'member');
    await admin.addToTeam(team.id, member.user.id);
  });

  const found = async (call) => {
    const answer = await call;
    return idsOf(answer.channels ?? answer).filter((id) => [open.id, closed.id].includes(id));
  };

  test('searchChannels, autocompleteChannels and autocompleteChannelsForSearch of a team', async () => {
    for (const search of ['searchChannels', 'autocompleteChannels', 'autocompleteChannelsForSearch']) {
      assert.ok((await found(admin[search](team.id, 'harbour'))).includes(open.id), search);
      assert.equal(
        (await found(member.client[search](team.id, 'harbour'))).includes(closed.id),
        false,
        search,
      );
      assert.deepEqual(await found(admin[search](team.id, unique('nothing'))), [], search);
    }
    assert.deepEqual(await found(member.client.searchChannels(team.id, 'harbour')), [open.id]);
  });

  test('searchAllChannels of all teams, complete and in pages', async () => {
    const both = [open.id, closed.id].sort();
    assert.deepEqual(await found(admin.searchAllChannels('harbour', { team_ids: [team.id] })), both);
    const page = await admin.searchAllChannels('harbour', { team_ids: [team.id], page: 0, per_page: 1 });
    assert.equal(page.channels.length, 1);
    assert.equal(page.total_count, 2);
    const asMember = member.client.searchAllChannels('harbour', { nonAdminSearch: true });
    assert.equal((await found(asMember)).includes(closed.id), false);
  });

  test('getKnownUsers: those who share a channel', async () => {
    const known = await member.client.getKnownUsers();
    assert.ok(known.includes((await admin.getMe()).id));
    const { client } = await buildUser(admin, 'alone');
    assert.deepEqual(await client.getKnownUsers(), []);
  });
});
