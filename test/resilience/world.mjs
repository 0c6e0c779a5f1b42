/** The records that generated requests use. Many are broken already, because the requests change and delete them. */
import { createServer } from 'node:http';
import { Accounts, PASSWORD } from './accounts.mjs';
import { Pairs } from './json-text.mjs';
import { anyFrame, hookBody } from './payloads.mjs';

const KEPT = 40;
const CALLERS = ['admin', 'member', 'victim'];

export class World {
  /** The accounts of the callers. */
  accounts;
  #roles;
  /** By kind: the ids, or names, of records, the newest last. */
  #known = {};
  #connection;
  #count = 0;
  #peer;
  #receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(request.url === '/fail' ? 500 : 200, { 'content-type': 'application/json' });
      response.end(request.url === '/reply' ? '{"text":"a reply"}' : '{}');
    });
  });

  /** Signs in the keeper on a new server started with `keeperEnv`, creates the accounts, and starts a receiver. */
  static async create({ url, localSocket, peer }) {
    const world = new World();
    world.#peer = peer;
    await new Promise((resolve) => world.#receiver.listen(0, '127.0.0.1', resolve));
    world.accounts = await Accounts.create(url, localSocket);
    world.#roles = await world.#call('GET', '/roles');
    world.#keep('user', ...CALLERS.map((name) => world.accounts.idOf(name)));
    world.#keep('user name', ...CALLERS.map((name) => world.accounts.usernameOf(name)));
    world.#keep('role', ...world.#roles.map(({ id }) => id));
    world.#keep('role name', ...world.#roles.map(({ name }) => name));
    await world.refresh();
    return world;
  }

  async close() {
    this.#receiver.closeAllConnections();
    await Promise.all([new Promise((resolve) => this.#receiver.close(resolve)), this.#peer.close()]);
  }

  /** Repairs every account and adds a new team with channels, posts, webhooks and their deliveries. */
  async refresh() {
    for (const { id, permissions } of this.#roles)
      await this.#call('PUT', `/roles/${id}/patch`, { permissions });
    await this.accounts.repairAll();
    const names = { name: this.#name(), display_name: 'Fuzz' };
    const team = await this.#call('POST', '/teams', { ...names, type: 'O', allow_open_invite: true });
    this.#keep('team', team.id);
    this.#keep('team name', team.name);
    await this.#join('teams', team.id, CALLERS, { team_id: team.id });
    await this.#connect(team.id);
    for (const type of ['O', 'P']) await this.#addChannel(team.id, type);
    await this.#addOutgoingHook({ team_id: team.id });
    for (const id of this.#known.outgoing.slice(-3)) {
      const { deliveries } = await this.#call('GET', `/hooks/outgoing/${id}/deliveries`);
      this.#keep('delivery', ...deliveries.map((delivery) => delivery.id));
    }
    const user = `/users/${this.accounts.idOf('admin')}`;
    this.#keep('token', (await this.#call('POST', `${user}/tokens`, { description: 'fuzz' })).id);
    this.#keep('session', ...(await this.#call('GET', `${user}/sessions`)).map(({ id }) => id));
    this.#keep('bot', (await this.#call('POST', '/bots', { username: this.#name() })).user_id);
    this.#peer.requests.length = 0;
  }

  /** The connection of peer requests: its id and token. */
  get connection() {
    return { remoteId: this.#connection.remoteId, token: this.#connection.remoteToken };
  }

  /** Posts through the newest hook and reads the post back, to prove that the server works. */
  async proveThatItWorks() {
    await this.refresh();
    const text = `proof ${Date.now()}`;
    const answer = await this.accounts.callHook(this.#known.hook.at(-2), { text });
    if (answer.text !== 'ok')
      throw new Error(`After all that, a hook answers ${answer.status}: ${answer.text}`);
    const { posts } = await this.#call('GET', `/channels/${this.#known.channel.at(-2)}/posts`);
    if (!Object.values(posts).some((post) => post.message === text))
      throw new Error('The last post cannot be read back.');
  }

  /** An existing value for a field or query parameter, or undefined if any value will do. */
  valueFor(name, random) {
    if (name === 'callback_urls') return random.pick(this.#urls);
    const kind = kindsByName[name] ?? (name.endsWith('_id') ? random.pick(kinds) : undefined);
    return kind ? this.#any(kind, random) : valuesByName[name]?.(random, this.#known);
  }

  /** An existing value for a path parameter. */
  pathValue({ path, isEnding, isOfOutgoingHook }, name, random) {
    if (isEnding && name === 'user_id') return random.chance(0.5) ? 'me' : this.accounts.idOf('victim');
    if (name === 'user_id' && random.chance(0.3)) return 'me';
    if (name === 'post_id' && path.includes('/messages/')) return this.#any('hook message', random);
    if (name === 'hook_id' && isOfOutgoingHook) return this.#any('outgoing', random);
    const known = this.valueFor(name, random);
    if (known !== undefined && name !== 'name' && name !== 'id') return known;
    const kind = ['team', 'channel', 'role', 'post', 'hook', 'user'].find((word) =>
      path.includes(`/${word}s`),
    );
    if (name !== 'name') return this.#any(kind ?? 'team', random);
    const named = path.includes('/channels/') ? 'channel name' : `${kind} name`;
    return this.#any(named in this.#known ? named : 'team name', random);
  }

  /** A body for a route whose documentation is not sufficient, or undefined. */
  bodyFor({ isHook, peerCall }, random) {
    if (peerCall) return anyFrame(peerCall, this.#connection.remoteId, this.#any('channel', random), random);
    return isHook && random.chance(0.6) ? hookBody(this.#known['channel name'], random) : undefined;
  }

  /** A body for a route without a documented one. */
  anything(random) {
    const [post, user, channel] = ['post', 'user', 'channel'].map((kind) => this.#any(kind, random));
    const object = () => Pairs.from({ id: post, user_id: user, term: random.letters(3) });
    return random.chance(0.5) ? [user, channel] : object();
  }

  /** Callback URLs: one that succeeds, one that fails and one that replies with a post. */
  get #urls() {
    const origin = `http://127.0.0.1:${this.#receiver.address().port}`;
    return ['ok', 'fail', 'reply'].map((name) => `${origin}/${name}`);
  }

  /** Creates a new connection if the last one is gone, which takes half a second. */
  async #connect(teamId) {
    const { remoteId } = this.#connection ?? {};
    if (remoteId && (await this.#call('GET', `/api/v4/remotecluster/${remoteId}`)).delete_at === 0) return;
    const { connection, ...invite } = this.#peer.invite();
    const body = { name: this.#name(), default_team_id: teamId, ...invite };
    await this.#call('POST', '/api/v4/remotecluster/accept_invite', body);
    this.#connection = connection;
    this.#keep('remote', connection.remoteId);
  }

  /** A channel that is shared with the peer, with the administrator, who owns what is in it. */
  async #addChannel(teamId, type) {
    const names = { name: this.#name(), display_name: 'Fuzz' };
    const { id, name } = await this.#call('POST', '/channels', { team_id: teamId, ...names, type });
    await this.#join('channels', id, type === 'O' ? CALLERS : ['admin']);
    this.#keep('channel', id);
    this.#keep('channel name', name);
    await this.#call('POST', `/api/v4/remotecluster/${this.#connection.remoteId}/channels/${id}/invite`);
    if (type === 'O') await this.#addOutgoingHook({ team_id: teamId, channel_id: id });
    const post = (fields) => this.accounts.callAs('admin', 'POST', '/posts', { channel_id: id, ...fields });
    const root = await post({ message: 'fuzz: a root' });
    const reply = await post({ message: 'A reply', root_id: root.id });
    this.#keep('post', root.id, reply.id);
    const hook = { channel_id: id, display_name: 'A hook' };
    const { id: hookId } = await this.accounts.callAs('admin', 'POST', '/hooks/incoming', hook);
    this.#keep('hook', hookId);
    const { post_ids: messageIds } = await this.#call('POST', `/hooks/${hookId}?wait=true`, {
      text: 'A message',
    });
    this.#keep('hook message', ...messageIds);
  }

  async #addOutgoingHook(place) {
    const calls = { trigger_words: ['fuzz'], callback_urls: this.#urls };
    const hook = { ...place, display_name: 'A hook', ...calls };
    this.#keep('outgoing', (await this.accounts.callAs('admin', 'POST', '/hooks/outgoing', hook)).id);
  }

  async #join(kind, id, names, fields) {
    for (const name of names)
      await this.#call('POST', `/${kind}/${id}/members`, { user_id: this.accounts.idOf(name), ...fields });
  }

  #call(method, path, body) {
    return this.accounts.call(method, path, body);
  }

  #name() {
    return `fuzz-${Date.now().toString(36)}-${(this.#count += 1)}`;
  }

  #keep(kind, ...values) {
    const kept = (this.#known[kind] ??= []);
    kept.push(...values);
    kept.splice(0, kept.length - KEPT);
  }

  /** Picks mostly from the newest records, which belong together and are not broken yet. */
  #any(kind, random) {
    const list = this.#known[kind] ?? [];
    if (list.length === 0) return undefined;
    const isOld = /^(user|role)/.test(kind) || random.chance(0.15);
    return random.pick(isOld ? list : list.slice(-2));
  }
}

const kinds = ['team', 'channel', 'user', 'post', 'hook', 'outgoing', 'delivery', 'remote'];

/** The same kind for several names. */
const all = (kind, ...names) => Object.fromEntries(names.map((name) => [name, kind]));

const kindsByName = {
  ...all('team', 'team_id', 'in_team', 'not_in_team', 'team', 'default_team_id'),
  ...all('channel', 'channel_id', 'prev_channel_id', 'in_channel', 'not_in_channel'),
  ...all('user', 'user_id', 'creator_id', 'user_ids', 'other_user_id'),
  ...all('bot', 'bot_user_id'),
  ...all('post', 'post_id', 'root_id', 'before', 'after', 'fromPost', 'post_ids'),
  ...all('delivery', 'delivery_id', 'cursor'),
  ...all('role name', 'role_name', 'roles'),
  ...all('user name', 'username', 'login_id', 'usernames'),
  ...{ hook_id: 'hook', remote_id: 'remote', role_id: 'role', token_id: 'token', session_id: 'session' },
  ...{ team_name: 'team name', channel_name: 'channel name' },
};

const valuesByName = {
  ...all(() => PASSWORD, 'password', 'current_password', 'new_password'),
  email: (random, known) =>
    `${random.chance(0.5) ? random.pick(known['user name']) : random.letters(8)}@example.com`,
  name: (random) => random.letters(10),
  message: (random) => `${random.pick(['fuzz', 'Hello'])} ${random.letters(6)}`,
  trigger_words: (random) => random.pick(['fuzz', random.letters(4)]),
};
