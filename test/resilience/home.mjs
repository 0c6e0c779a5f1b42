/**
 * The records of proper requests, which no other generated request uses, and further input that a route needs to
 * succeed. A record that a proper request removes is created for it alone.
 */
import { PASSWORD } from './accounts.mjs';
import { schemaOf, validValue } from './bodies.mjs';
import { anyFrame, frame } from './frames.mjs';
import { Pairs, toJsonText } from './json-text.mjs';

export class Home {
  /** Values by the name of a field or parameter. */
  #known;
  #kit;

  static async create({ accounts, records, partners }) {
    const home = new Home();
    const team = await records.team();
    await records.joinTeam(team.id, 'spare');
    const channel = await records.channel(team.id);
    await records.joinChannel(channel.id, 'spare');
    const outgoing = await records.outgoingHook(team.id, { channel_id: channel.id });
    const post = await records.post(channel.id, 'fuzz: a root');
    await records.post(channel.id, 'A reply', post.id);
    const hook = await records.incomingHook(channel.id);
    const connection = await records.connection(team.id);
    const [role] = await accounts.call('POST', '/roles/names', ['team_user']);
    home.#kit = { accounts, records, team, channel, outgoing, hook, connection, role, spares: [], names: 0 };
    home.#known = {
      team_id: team.id,
      default_team_id: team.id,
      team_name: team.name,
      channel_id: channel.id,
      channel_name: channel.name,
      user_id: accounts.idOf('spare'),
      user_ids: accounts.idOf('spare'),
      creator_id: accounts.idOf('admin'),
      username: accounts.usernameOf('spare'),
      email: `${accounts.usernameOf('spare')}@example.com`,
      post_id: post.id,
      root_id: '',
      hook_id: hook.id,
      remote_id: connection.remoteId,
      role_id: role.id,
      role_name: role.name,
      ...{ callback_urls: partners.urls[0], callback_url: partners.urls[0] },
      ...{ password: PASSWORD, current_password: PASSWORD, new_password: PASSWORD },
    };
    return home;
  }

  /** The input that the route of this label needs to succeed: { ids, query, body, headers, role }, all optional. */
  async prepare({ label, path, isOfOutgoingHook }, random, document) {
    const given = (await needs[label]?.(this.#kit, random)) ?? {};
    const ids = isOfOutgoingHook ? { hook_id: this.#kit.outgoing.id, ...given.ids } : given.ids;
    return { ...given, ids: { ...(await this.#created(path, ids ?? {}, random, document)), ...ids } };
  }

  /** A record that nothing here knows, of a module of its own: made by a POST to the path in front of its id. */
  async #created(path, ids, random, document) {
    const [, collection, name] = /^([^{]*)\/\{(\w+_id)\}/.exec(path) ?? [];
    if (name === undefined || name in ids || name in this.#known) return {};
    const schema = schemaOf(document.paths[collection]?.post ?? {});
    if (!schema) return {};
    const body = validValue(schema, '', { document, random, world: this, isPlain: true });
    const { id } = await this.#kit.accounts.call('POST', collection, JSON.parse(toJsonText(body)));
    return { [name]: id };
  }

  valueFor(name, random) {
    if (name === 'name') return random.letters(10);
    return this.#known[name];
  }
}

/** Nothing is created after it. */
const NEVER = 8_640_000_000_000;

const ids = (values) => ({ ids: values });

async function freshTeam({ records }) {
  return ids({ team_id: (await records.team()).id });
}

async function freshChannel({ records, team }) {
  return ids({ channel_id: (await records.channel(team.id)).id });
}

async function archivedTeam({ accounts, records }) {
  const { id } = await records.team();
  await accounts.call('DELETE', `/teams/${id}`);
  return ids({ team_id: id });
}

async function archivedChannel({ accounts, records, team }) {
  const { id } = await records.channel(team.id);
  await accounts.call('DELETE', `/channels/${id}`);
  return ids({ channel_id: id });
}

async function freshToken({ records }) {
  const { id } = await records.token();
  return { ids: { token_id: id }, body: { token_id: id } };
}

/** A name for an account. A request that is prepared again has the same random numbers, but another name. */
const freshName = (kit, random) => `u${random.letters(12)}${++kit.names}`;

const newAccount = (kit, random) => {
  const username = freshName(kit, random);
  return { username, email: `${username}@example.com`, password: PASSWORD };
};

async function freshBot(kit, random) {
  const username = freshName(kit, random);
  const { user_id } = await kit.accounts.call('POST', '/bots', { username });
  return { ids: { bot_user_id: user_id }, body: { username: `b${random.letters(12)}` } };
}

/** A stored call of a webhook that can be repeated. */
async function keptRequest({ accounts, channel }) {
  const fields = { channel_id: channel.id, display_name: 'A hook', keep_requests: true };
  const { id } = await accounts.callAs('admin', 'POST', '/hooks/incoming', fields);
  await accounts.callHook(id, { text: 'Kept.' });
  const [{ id: requestId }] = await accounts.callAs('admin', 'GET', `/hooks/incoming/${id}/requests`);
  return { ids: { hook_id: id, request_id: requestId } };
}

async function activeUser({ accounts }) {
  await accounts.call('PUT', `/users/${accounts.idOf('spare')}/active`, { active: true });
  return {};
}

async function settledDelivery({ records, outgoing }) {
  const [delivery] = await records.deliveries(outgoing.id, true);
  return ids({ delivery_id: delivery });
}

const NOBODY = { endpoint: 'https://nobody.example' };
const countedRecovery = { ids: null, filter: NOBODY, dry_run: true };

async function endedRecoveryOfAll({ accounts }) {
  const path = '/hooks/outgoing/deliveries';
  const [latest] = await accounts.callAs('admin', 'GET', `${path}/recoveries`);
  const { id } = latest ?? (await accounts.callAs('admin', 'POST', `${path}/retry`, { filter: NOBODY }));
  return ids({ recovery_id: id });
}

async function endedRecovery({ accounts, outgoing }) {
  const path = `/hooks/outgoing/${outgoing.id}/recover`;
  const [latest] = await accounts.callAs('admin', 'GET', path);
  const { id } = latest ?? (await accounts.callAs('admin', 'POST', path, { since: NEVER }));
  return ids({ recovery_id: id });
}

async function teamOfVictim({ accounts, records }) {
  const { id } = await records.team();
  return ids({ team_id: id, user_id: accounts.idOf('victim') });
}

async function channelOfVictim({ accounts, records, team }) {
  const { id } = await records.channel(team.id);
  return ids({ channel_id: id, user_id: accounts.idOf('victim') });
}

async function preference({ accounts }, random) {
  const userId = accounts.idOf('spare');
  const [category, name] = [random.letters(10), random.letters(10)];
  const body = [{ user_id: userId, category, name, value: 'b' }];
  await accounts.call('PUT', `/users/${userId}/preferences`, body);
  return { ids: { category, preference_name: name }, body };
}

/** A session of an account that no other request uses, so that no other request ends it. */
async function session(kit, random) {
  const account = newAccount(kit, random);
  const { id } = await kit.accounts.call('POST', '/users', account);
  return { ids: { user_id: id }, body: { session_id: await kit.accounts.beginSession(account.username) } };
}

/** The payload of a peer that confirms a connection. */
async function confirmation({ records, team }, random) {
  const { remoteId, token, payload } = await records.pending(team.id);
  return { peer: { remoteId, token }, body: frame(remoteId, 'invitation', payload, random) };
}

/** A connection that waits for its peer. It is kept for `spareConnection`, because creating one takes half a second. */
async function pendingConnection({ records, team, spares }) {
  const { remoteId } = await records.pending(team.id);
  spares.push(remoteId);
  return ids({ remote_id: remoteId });
}

async function spareConnection(kit) {
  if (kit.spares.length === 0) await pendingConnection(kit);
  return ids({ remote_id: kit.spares.pop() });
}

/** A channel that is shared with the peer. */
async function sharedChannel({ accounts, records, team, connection: { remoteId } }) {
  const { id } = await records.channel(team.id);
  await accounts.call('POST', `/api/v4/remotecluster/${remoteId}/channels/${id}/invite`);
  return { ids: { channel_id: id } };
}

function fromPeer(call) {
  return ({ connection: { remoteId, remoteToken }, channel }, random) => ({
    peer: { remoteId, token: remoteToken },
    body: anyFrame(call, remoteId, channel.id, random),
  });
}

/** By route: its input in addition to the records of home. */
const needs = {
  'POST /api/v4/users/login': ({ accounts }) => ({
    role: 'anonymous',
    body: { login_id: accounts.usernameOf('spare'), password: PASSWORD },
  }),
  'POST /api/v4/users/logout': () => ({ role: 'victim' }),
  'POST /api/v4/users/{user_id}/sessions/revoke': session,
  'POST /api/v4/users/tokens/revoke': freshToken,
  'POST /api/v4/users/tokens/disable': freshToken,
  'POST /api/v4/users/tokens/enable': freshToken,
  'GET /api/v4/users/tokens/{token_id}': freshToken,
  'POST /api/v4/users/{user_id}/tokens': () => ({ ids: { user_id: 'me' } }),
  'POST /api/v4/users': (kit, random) => ({ body: newAccount(kit, random) }),
  'POST /api/v4/bots': (_, random) => ({ body: { username: `b${random.letters(12)}` } }),
  'GET /api/v4/bots/{bot_user_id}': freshBot,
  'PUT /api/v4/bots/{bot_user_id}': freshBot,
  'POST /api/v4/bots/{bot_user_id}/enable': freshBot,
  'POST /api/v4/bots/{bot_user_id}/disable': freshBot,
  'POST /api/v4/bots/{bot_user_id}/assign/{user_id}': freshBot,
  'POST /api/v4/bots/{bot_user_id}/convert_to_user': async (kit, random) => ({
    ids: (await freshBot(kit, random)).ids,
    body: Pairs.from({ password: PASSWORD }),
  }),
  'POST /api/v4/users/{user_id}/convert_to_bot': async (kit, random) => ({
    ids: { user_id: (await kit.accounts.call('POST', '/users', newAccount(kit, random))).id },
  }),
  'GET /api/v4/teams/invite/{invite_id}': async ({ records }) => ({
    ids: { invite_id: (await records.team()).invite_id },
  }),
  'PUT /api/v4/roles/{role_id}/patch': ({ role: { permissions } }) => ({ body: { permissions } }),
  'PUT /api/v4/users/{user_id}': () => ({ body: { timezone: {}, props: {}, notify_props: {} } }),
  'PUT /api/v4/users/{user_id}/roles': () => ({ body: { roles: 'system_user' } }),
  'PUT /api/v4/users/{user_id}/active': activeUser,
  'DELETE /api/v4/users/{user_id}': activeUser,
  'GET /api/v4/users/{user_id}/preferences/{category}': preference,
  'GET /api/v4/users/{user_id}/preferences/{category}/name/{preference_name}': preference,
  'PUT /api/v4/users/{user_id}/preferences': preference,
  'POST /api/v4/users/{user_id}/preferences/delete': preference,
  'POST /api/v4/teams/members/invite': async ({ records }) => ({
    query: { invite_id: (await records.team()).invite_id },
  }),
  'POST /api/v4/teams': (_, random) => ({ body: { name: `t${random.letters(10)}` } }),
  'DELETE /api/v4/teams/{team_id}': freshTeam,
  'POST /api/v4/teams/{team_id}/restore': archivedTeam,
  'DELETE /api/v4/teams/{team_id}/members/{user_id}': teamOfVictim,
  'DELETE /api/v4/channels/{channel_id}': freshChannel,
  'POST /api/v4/users/{user_id}/typing': ({ channel }) => ({ body: { channel_id: channel.id } }),
  'PUT /api/v4/channels/{channel_id}': ({ channel: { name } }) => ({ body: { name, type: 'O' } }),
  'PUT /api/v4/channels/{channel_id}/privacy': freshChannel,
  'PUT /api/v4/channels/{channel_id}/patch': ({ channel: { name } }) => ({
    body: { name, header: 'A header' },
  }),
  'POST /api/v4/channels/direct': ({ accounts }) => ({
    body: ['admin', 'spare'].map((name) => accounts.idOf(name)),
  }),
  'POST /api/v4/channels/group': ({ accounts }) => ({
    body: ['admin', 'member', 'spare'].map((name) => accounts.idOf(name)),
  }),
  'POST /api/v4/channels/{channel_id}/members': ({ accounts }) => ({
    body: { user_id: accounts.idOf('spare') },
  }),
  'PUT /api/v4/channels/{channel_id}/members/{user_id}/roles': () => ({ body: { roles: 'channel_user' } }),
  'POST /api/v4/channels/{channel_id}/restore': archivedChannel,
  'DELETE /api/v4/channels/{channel_id}/members/{user_id}': channelOfVictim,
  'POST /api/v4/channels': (_, random) => ({ body: { name: `c${random.letters(10)}` } }),
  'POST /hooks/{id}': (_, random) => ({
    body: { text: `Hello ${random.letters(5)}`, channel: '', priority: { priority: 'urgent' } },
  }),
  'PUT /api/v4/hooks/outgoing/{hook_id}': ({ outgoing, channel }) => ({
    body: Pairs.from({
      ...{ id: outgoing.id, channel_id: channel.id, display_name: 'A hook', description: 'For the test.' },
    }),
  }),
  'DELETE /api/v4/posts/{post_id}': async ({ records, channel }) => ({
    ids: { post_id: (await records.post(channel.id)).id },
  }),
  'GET /api/v4/hooks/incoming/{hook_id}/requests/{request_id}': keptRequest,
  'POST /api/v4/hooks/incoming/{hook_id}/requests/{request_id}/replay': keptRequest,
  'POST /api/v4/hooks/incoming/{hook_id}/preview': () => ({ body: { payload: '{"text":"Hello"}' } }),
  'DELETE /api/v4/hooks/incoming/{hook_id}': async ({ records, channel }) => ({
    ids: { hook_id: (await records.incomingHook(channel.id)).id },
  }),
  // Deliveries to a removed URL cannot be resent.
  'POST /api/v4/hooks/outgoing/dry_run': ({ team, channel }) => ({
    body: { team_id: team.id, channel_id: channel.id, in_channel_id: channel.id },
  }),
  'POST /api/v4/hooks/outgoing/{hook_id}/dry_run': ({ channel }) => ({
    body: { channel_id: channel.id, in_channel_id: channel.id },
  }),
  'PATCH /api/v4/hooks/outgoing/{hook_id}': ({ outgoing: { callback_urls } }) => ({
    body: { callback_urls },
  }),
  'DELETE /api/v4/hooks/outgoing/{hook_id}': async ({ records, team }) => ({
    ids: { hook_id: (await records.outgoingHook(team.id, {})).id },
  }),
  'GET /api/v4/hooks/outgoing/endpoints/details': ({ outgoing: { callback_urls } }) => ({
    query: { endpoint: new URL(callback_urls[0]).origin },
  }),
  'GET /api/v4/hooks/outgoing/{hook_id}/deliveries/{delivery_id}': settledDelivery,
  'POST /api/v4/hooks/outgoing/{hook_id}/deliveries/{delivery_id}/retry': settledDelivery,
  'POST /api/v4/hooks/outgoing/{hook_id}/deliveries/{delivery_id}/request': settledDelivery,
  'POST /api/v4/hooks/outgoing/stats': ({ outgoing }) => ({ body: { hook_ids: [outgoing.id] } }),
  'POST /api/v4/hooks/outgoing/deliveries/retry': async (kit) => ({
    body: { ids: [(await settledDelivery(kit)).ids.delivery_id], filter: null, dry_run: false },
  }),
  'POST /api/v4/hooks/outgoing/{hook_id}/deliveries/retry': async (kit) => ({
    body: { ids: [(await settledDelivery(kit)).ids.delivery_id], filter: null, dry_run: false },
  }),
  'POST /api/v4/hooks/outgoing/endpoints/deliveries/retry': () => ({ body: countedRecovery }),
  'POST /api/v4/hooks/outgoing/deliveries/recoveries/{recovery_id}/stop': endedRecoveryOfAll,
  'POST /api/v4/hooks/outgoing/{hook_id}/recover/{recovery_id}/stop': endedRecovery,
  'POST /api/v4/remotecluster/ping': fromPeer('ping'),
  'POST /api/v4/remotecluster/msg': fromPeer('msg'),
  'POST /api/v4/remotecluster/confirm_invite': confirmation,
  'POST /api/v4/remotecluster/{remote_id}/generate_invite': pendingConnection,
  'POST /api/v4/remotecluster/accept_invite': async ({ records }, random) => {
    const { invite, password } = records.offer();
    return { body: { name: `r${random.letters(6)}`, invite, password } };
  },
  'DELETE /api/v4/remotecluster/{remote_id}': spareConnection,
  'POST /api/v4/remotecluster/{remote_id}/channels/{channel_id}/invite': freshChannel,
  'POST /api/v4/remotecluster/{remote_id}/channels/{channel_id}/uninvite': sharedChannel,
};
