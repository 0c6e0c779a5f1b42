/**
 * The accounts and records that generated requests use. A keeper account that no request touches repairs what they break:
 * sessions, roles, passwords and archived channels.
 */
import { ApiClient } from '../support/api-client.mjs';
import { Pairs } from './json-text.mjs';

const PASSWORD = 'a fair password 1';
const KEEPER = 'keeper-of-the-test';
const KEPT_IDS = 40;

export const worldEnv = {
  ADMIN_USERNAME: KEEPER,
  ADMIN_PASSWORD: PASSWORD,
  ADMIN_EMAIL: 'keeper@example.com',
};

const roleOf = { admin: 'system_admin system_user', member: 'system_user', victim: 'system_user' };

export class World {
  #keeper;
  #accounts = {};
  #roles = [];
  #repairing = new Map();
  #ids = { team: [], channel: [], user: [], post: [], hook: [], role: [], token: [], session: [] };
  #names = { team: [], channel: [], role: [], user: [] };
  #turn = 0;

  /** Signs in the keeper on a new server started with `worldEnv` and creates the accounts. */
  static async create(url) {
    const world = new World();
    world.#keeper = new ApiClient(url);
    await world.#signKeeperIn();
    world.#roles = await world.#keeper.call('GET', '/roles');
    for (const name of Object.keys(roleOf)) {
      const username = `fuzz-${name}`;
      const { id } = await world.#keeper.call('POST', '/users', {
        username,
        email: `${username}@example.com`,
        password: PASSWORD,
      });
      world.#accounts[name] = { id, username, token: '' };
      world.#keep('user', id);
      world.#names.user.push(username);
    }
    for (const role of world.#roles) {
      world.#keep('role', role.id);
      world.#names.role.push(role.name);
    }
    await world.refresh();
    return world;
  }

  /** Repairs every account and adds a new team with channels, posts and a hook. */
  async refresh() {
    await this.#signKeeperIn();
    for (const { id, permissions } of this.#roles) {
      await this.#keeper.send('PUT', `/roles/${id}/patch`, { permissions });
    }
    for (const name of Object.keys(this.#accounts)) await this.repair(name);
    const admin = this.#keeper.as(this.#accounts.admin.token);
    const slug = `fuzz-${Date.now().toString(36)}-${(this.#turn += 1)}`;
    const team = await admin.call('POST', '/teams', { name: slug, display_name: 'Fuzz', type: 'O' });
    const [open, closed] = [
      await admin.call('POST', '/channels', {
        team_id: team.id,
        name: `${slug}-o`,
        display_name: 'Open',
        type: 'O',
      }),
      await admin.call('POST', '/channels', {
        team_id: team.id,
        name: `${slug}-p`,
        display_name: 'Private',
        type: 'P',
      }),
    ];
    this.#keep('team', team.id);
    this.#names.team.push(team.name);
    for (const name of ['member', 'victim']) {
      const userId = this.#accounts[name].id;
      await admin.call('POST', `/teams/${team.id}/members`, { team_id: team.id, user_id: userId });
      await admin.call('POST', `/channels/${open.id}/members`, { user_id: userId });
    }
    for (const channel of [open, closed]) {
      this.#keep('channel', channel.id);
      this.#names.channel.push(channel.name);
      const root = await admin.call('POST', '/posts', { channel_id: channel.id, message: 'A root' });
      const reply = await admin.call('POST', '/posts', {
        channel_id: channel.id,
        message: 'A reply',
        root_id: root.id,
      });
      const hook = await admin.call('POST', '/hooks/incoming', {
        channel_id: channel.id,
        display_name: 'A hook',
      });
      this.#keep('post', root.id, reply.id);
      this.#keep('hook', hook.id);
    }
    const { id: adminId } = this.#accounts.admin;
    const token = await admin.send('POST', `/users/${adminId}/tokens`, { description: 'fuzz' });
    if (token.status === 200) this.#keep('token', token.body.id);
    const sessions = await admin.send('GET', `/users/${adminId}/sessions`);
    if (sessions.status === 200) for (const session of sessions.body) this.#keep('session', session.id);
    for (const names of Object.values(this.#names)) names.splice(0, names.length - KEPT_IDS);
  }

  /** Makes the account usable again. Simultaneous calls share one repair. */
  repair(name) {
    let repair = this.#repairing.get(name);
    if (!repair) {
      repair = this.#mend(this.#accounts[name]).finally(() => this.#repairing.delete(name));
      this.#repairing.set(name, repair);
    }
    return repair;
  }

  tokenOf(role) {
    return this.#accounts[role]?.token ?? '';
  }

  /** Posts through the newest hook and reads the post back, to prove that the server works. */
  async proveThatItWorks() {
    await this.refresh();
    const text = `proof ${Date.now()} ${this.#turn}`;
    const answer = await this.#keeper.send('POST', `/hooks/${this.#ids.hook.at(-2)}`, { text });
    if (answer.text !== 'ok')
      throw new Error(`After all that, a hook answers ${answer.status}: ${answer.text}`);
    const { posts } = await this.#keeper
      .as(this.#accounts.admin.token)
      .call('GET', `/channels/${this.#ids.channel.at(-2)}/posts`);
    if (!Object.values(posts).some((post) => post.message === text))
      throw new Error('The last post cannot be read back.');
  }

  /** An existing value for a field or query parameter, or undefined if any value will do. */
  valueFor(name, random) {
    const at = valuesByName[name] ?? (name.endsWith('_id') ? anyId : undefined);
    return at?.(this.#ids, this.#names, random);
  }

  /** An existing value for a path parameter. */
  pathValue({ path, isEnding }, name, random) {
    if (isEnding && name === 'user_id') return random.chance(0.5) ? 'me' : this.#accounts.victim.id;
    if (name === 'user_id' && random.chance(0.3)) return 'me';
    const known = this.valueFor(name, random);
    if (known !== undefined && name !== 'name' && name !== 'id') return known;
    const kind =
      ['team', 'channel', 'role', 'post', 'hook', 'user'].find((word) => path.includes(`/${word}s`)) ??
      'team';
    if (name === 'name')
      return named(path.includes('/channels/') ? 'channel' : kind in this.#names ? kind : 'team')(
        this.#ids,
        this.#names,
        random,
      );
    return from(kind)(this.#ids, this.#names, random);
  }

  /** A body for an incoming hook. */
  payload(random) {
    return Pairs.from({
      text: `Hello ${random.letters(6)}`,
      ...(random.chance(0.3)
        ? { channel: random.pick([...this.#names.channel, '@fuzz-victim', '#town-square']) }
        : {}),
      ...(random.chance(0.3)
        ? { username: 'bot', icon_url: 'https://example.com/a.png', icon_emoji: ':rocket:' }
        : {}),
      ...(random.chance(0.4)
        ? {
            attachments: [
              {
                fallback: 'f',
                color: '#fff',
                pretext: 'p',
                title: 't',
                title_link: 'https://example.com',
                text: 'x',
                fields: [{ title: 'a', value: 1, short: true }],
                ts: 1,
                actions: [
                  { name: 'go', type: 'button', integration: { url: 'http://x', context: { a: 1 } } },
                ],
              },
            ],
          }
        : {}),
      ...(random.chance(0.3)
        ? {
            props: { card: 'c' },
            type: random.pick(['', 'me', 'custom_x', 'system_x']),
            priority: { priority: 'urgent' },
          }
        : {}),
    });
  }

  /** A body for a route whose description has none. */
  anything(random) {
    return random.chance(0.5)
      ? [random.pick(this.#ids.user), random.pick(this.#ids.channel)]
      : Pairs.from({
          id: random.pick(this.#ids.post),
          user_id: random.pick(this.#ids.user),
          term: random.letters(3),
        });
  }

  async #signKeeperIn() {
    if (this.#keeper.token && (await this.#keeper.send('GET', '/users/me')).status === 200) return;
    const keeper = await this.#keeper.login(KEEPER, PASSWORD);
    if (!keeper) throw new Error('The keeper of the test cannot sign in any more.');
    this.#keeper = keeper;
  }

  async #mend(account) {
    const role = roleOf[account.username.replace('fuzz-', '')];
    const isWhole = (user) => user.username === account.username && user.roles === role;
    const own = await this.#keeper.as(account.token).send('GET', '/users/me');
    if (own.status === 200 && isWhole(own.body)) return;
    await this.#signKeeperIn();
    const { body: user } = await this.#keeper.send('GET', `/users/${account.id}`);
    if (user.username !== account.username) {
      await this.#keeper.call('PUT', `/users/${account.id}/patch`, { username: account.username });
    }
    if (user.delete_at > 0) await this.#keeper.call('PUT', `/users/${account.id}/active`, { active: true });
    if (user.roles !== role) await this.#keeper.call('PUT', `/users/${account.id}/roles`, { roles: role });
    if (own.status === 200) return;
    let client = await this.#keeper.login(account.username, PASSWORD);
    if (!client) {
      await this.#keeper.call('PUT', `/users/${account.id}/password`, { new_password: PASSWORD });
      client = await this.#keeper.login(account.username, PASSWORD);
    }
    if (!client) throw new Error(`The account ${account.username} cannot be mended.`);
    account.token = client.token;
  }

  #keep(kind, ...ids) {
    this.#ids[kind].push(...ids);
    this.#ids[kind].splice(0, this.#ids[kind].length - KEPT_IDS);
  }
}

/** Picks mostly from the newest records, which belong together and are not broken yet. */
const from = (kind) => (ids, _names, random) =>
  recent(ids[kind], random, kind === 'user' ? ids.user.length : 2);
const named = (kind) => (_ids, names, random) =>
  recent(names[kind], random, kind === 'team' || kind === 'channel' ? 2 : KEPT_IDS);
const anyId = (ids, names, random) =>
  from(random.pick(['team', 'channel', 'user', 'post', 'hook']))(ids, names, random);

function recent(list, random, count) {
  return list.length === 0 ? undefined : random.pick(random.chance(0.85) ? list.slice(-count) : list);
}

const valuesByName = {
  ...{ team_id: from('team'), in_team: from('team'), not_in_team: from('team'), team: from('team') },
  ...{
    channel_id: from('channel'),
    prev_channel_id: from('channel'),
    in_channel: from('channel'),
    not_in_channel: from('channel'),
  },
  ...{ user_id: from('user'), creator_id: from('user'), user_ids: from('user'), other_user_id: from('user') },
  ...{
    post_id: from('post'),
    root_id: from('post'),
    before: from('post'),
    after: from('post'),
    fromPost: from('post'),
    post_ids: from('post'),
  },
  ...{ hook_id: from('hook'), role_id: from('role'), token_id: from('token'), session_id: from('session') },
  ...{
    role_name: named('role'),
    roles: named('role'),
    team_name: named('team'),
    channel_name: named('channel'),
    username: named('user'),
  },
  email: (_ids, names, random) =>
    random.chance(0.5) ? `${random.pick(names.user)}@example.com` : `${random.letters(8)}@example.com`,
  login_id: named('user'),
  password: () => PASSWORD,
  current_password: () => PASSWORD,
  new_password: () => PASSWORD,
  name: (_ids, _names, random) => random.letters(10),
  usernames: named('user'),
};
