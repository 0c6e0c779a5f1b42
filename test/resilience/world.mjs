/** The records that generated requests use. Many are broken already, because the requests change and delete them. */
import { Accounts, PASSWORD } from './accounts.mjs';
import { anyFrame, hookBody } from './payloads.mjs';
import { Pairs } from './json-text.mjs';
import { Records } from './records.mjs';

const KEPT = 40;
const CALLERS = ['admin', 'member', 'victim'];

export class World {
  #accounts;
  #outside;
  #records;
  #roles;
  #ids = {};
  #names = { team: [], channel: [], role: [], user: [] };
  #connection;

  /** Signs in the keeper on a new server started with `keeperEnv` and creates the accounts. */
  static async create({ url, localSocket, outside }) {
    const world = new World();
    const accounts = await Accounts.create(url, localSocket);
    const records = new Records(accounts, outside);
    world.#accounts = accounts;
    world.#outside = outside;
    world.#records = records;
    world.#roles = await accounts.call('GET', '/roles');
    for (const name of CALLERS) {
      world.#keep('user', accounts.idOf(name));
      world.#names.user.push(accounts.usernameOf(name));
    }
    for (const role of world.#roles) {
      world.#keep('role', role.id);
      world.#names.role.push(role.name);
    }
    await world.refresh();
    return world;
  }

  /** Repairs every account and adds a new team with channels, posts, webhooks and their deliveries. */
  async refresh() {
    for (const { id, permissions } of this.#roles)
      await this.#call('PUT', `/roles/${id}/patch`, { permissions });
    await this.#accounts.repairAll();
    const team = await this.#records.team();
    this.#keep('team', team.id);
    this.#names.team.push(team.name);
    await this.#connect(team.id);
    for (const type of ['O', 'P']) await this.#addChannel(team.id, type);
    await this.#addDeliveries(team.id);
    await this.#addSessions();
    for (const names of Object.values(this.#names)) names.splice(0, names.length - KEPT);
    this.#outside.forget();
  }

  repair(name) {
    return this.#accounts.repair(name);
  }

  tokenOf(name) {
    return this.#accounts.tokenOf(name);
  }

  /** The connection of peer requests: its id and token. */
  get connection() {
    return { remoteId: this.#connection.remoteId, token: this.#connection.remoteToken };
  }

  /** Posts through the newest hook and reads the post back, to prove that the server works. */
  async proveThatItWorks() {
    await this.refresh();
    const text = `proof ${Date.now()}`;
    const answer = await this.#accounts.callHook(this.#ids.hook.at(-2), { text });
    if (answer.text !== 'ok')
      throw new Error(`After all that, a hook answers ${answer.status}: ${answer.text}`);
    const { posts } = await this.#call('GET', `/channels/${this.#ids.channel.at(-2)}/posts`);
    if (!Object.values(posts).some((post) => post.message === text))
      throw new Error('The last post cannot be read back.');
  }

  /** An existing value for a field or query parameter, or undefined if any value will do. */
  valueFor(name, random) {
    if (name === 'callback_urls') return random.pick(this.#outside.urls);
    const at = valuesByName[name] ?? (name.endsWith('_id') ? anyId : undefined);
    return at?.(this.#ids, this.#names, random);
  }

  /** An existing value for a path parameter. */
  pathValue({ path, isEnding, isOfOutgoingHook }, name, random) {
    if (isEnding && name === 'user_id') return random.chance(0.5) ? 'me' : this.#accounts.idOf('victim');
    if (name === 'user_id' && random.chance(0.3)) return 'me';
    if (name === 'hook_id' && isOfOutgoingHook) return from('outgoing')(this.#ids, this.#names, random);
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

  /** A body for a route whose documentation is not sufficient, or undefined. */
  bodyFor({ isHook, peerCall }, random) {
    if (peerCall)
      return anyFrame(peerCall, this.#connection.remoteId, recent(this.#ids.channel, random, 2), random);
    return isHook && random.chance(0.6) ? hookBody(this.#names.channel, random) : undefined;
  }

  /** A body for a route without a documented one. */
  anything(random) {
    return random.chance(0.5)
      ? [random.pick(this.#ids.user), random.pick(this.#ids.channel)]
      : Pairs.from({
          id: random.pick(this.#ids.post),
          user_id: random.pick(this.#ids.user),
          term: random.letters(3),
        });
  }

  /** Creates a new connection if the last one is gone, which takes half a second. */
  async #connect(teamId) {
    const { remoteId } = this.#connection ?? {};
    if (remoteId && (await this.#call('GET', `/api/v4/remotecluster/${remoteId}`)).delete_at === 0) return;
    this.#connection = await this.#records.connection(teamId);
    this.#keep('remote', this.#connection.remoteId);
  }

  async #addChannel(teamId, type) {
    const channel = await this.#records.channel(teamId, type);
    this.#keep('channel', channel.id);
    this.#names.channel.push(channel.name);
    await this.#call(
      'POST',
      `/api/v4/remotecluster/${this.#connection.remoteId}/channels/${channel.id}/invite`,
    );
    if (type === 'O')
      this.#keep('outgoing', (await this.#records.outgoingHook(teamId, { channel_id: channel.id })).id);
    const root = await this.#records.post(channel.id, 'fuzz: a root');
    const reply = await this.#records.post(channel.id, 'A reply', root.id);
    this.#keep('post', root.id, reply.id);
    this.#keep('hook', (await this.#records.incomingHook(channel.id)).id);
  }

  async #addDeliveries(teamId) {
    this.#keep('outgoing', (await this.#records.outgoingHook(teamId, {})).id);
    for (const id of this.#ids.outgoing.slice(-3))
      this.#keep('delivery', ...(await this.#records.deliveries(id)));
  }

  async #addSessions() {
    const admin = this.#accounts.idOf('admin');
    this.#keep('token', (await this.#records.token()).id);
    const sessions = await this.#call('GET', `/users/${admin}/sessions`);
    this.#keep('session', ...sessions.map(({ id }) => id));
  }

  #call(method, path, body) {
    return this.#accounts.call(method, path, body);
  }

  #keep(kind, ...ids) {
    const kept = (this.#ids[kind] ??= []);
    kept.push(...ids);
    kept.splice(0, kept.length - KEPT);
  }
}

/** Picks mostly from the newest records, which belong together and are not broken yet. */
const from = (kind) => (ids, _names, random) =>
  recent(ids[kind], random, kind === 'user' ? ids.user.length : 2);
const named = (kind) => (_ids, names, random) =>
  recent(names[kind], random, kind === 'team' || kind === 'channel' ? 2 : KEPT);
const anyId = (ids, names, random) =>
  from(random.pick(['team', 'channel', 'user', 'post', 'hook', 'outgoing', 'delivery', 'remote']))(
    ids,
    names,
    random,
  );

function recent(list, random, count) {
  return list.length === 0 ? undefined : random.pick(random.chance(0.85) ? list.slice(-count) : list);
}

/** The same value for several names. */
const all = (value, ...names) => Object.fromEntries(names.map((name) => [name, value]));

const valuesByName = {
  ...all(from('team'), 'team_id', 'in_team', 'not_in_team', 'team', 'default_team_id'),
  ...all(from('channel'), 'channel_id', 'prev_channel_id', 'in_channel', 'not_in_channel'),
  ...all(from('user'), 'user_id', 'creator_id', 'user_ids', 'other_user_id'),
  ...all(from('post'), 'post_id', 'root_id', 'before', 'after', 'fromPost', 'post_ids'),
  ...all(from('delivery'), 'delivery_id', 'cursor'),
  ...all(named('role'), 'role_name', 'roles'),
  ...all(named('user'), 'username', 'login_id', 'usernames'),
  ...all(() => PASSWORD, 'password', 'current_password', 'new_password'),
  hook_id: from('hook'),
  remote_id: from('remote'),
  role_id: from('role'),
  token_id: from('token'),
  session_id: from('session'),
  team_name: named('team'),
  channel_name: named('channel'),
  email: (_ids, names, random) =>
    random.chance(0.5) ? `${random.pick(names.user)}@example.com` : `${random.letters(8)}@example.com`,
  name: (_ids, _names, random) => random.letters(10),
  message: (_ids, _names, random) => `${random.pick(['fuzz', 'Hello'])} ${random.letters(6)}`,
  trigger_words: (_ids, _names, random) => random.pick(['fuzz', random.letters(4)]),
};
