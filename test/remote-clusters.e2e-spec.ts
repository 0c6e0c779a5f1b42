import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource, type Repository } from 'typeorm';
import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { RemoteCluster } from '../src/remote-cluster/remote-cluster.entity.js';
import { SharedChannel, SharedChannelRemote } from '../src/shared-channels/shared-channel.entity.js';
import { buildTeam, type BuiltTeam } from './factories/incoming-hooks.js';
import {
  buildAdministrator,
  buildConnection,
  type BuiltConnection,
  invitation,
  INVITE_PASSWORD as PASSWORD,
} from './factories/remote-clusters.js';
import { type BuiltUser, buildUser } from './factories/users.js';
import { type DnsServer, startDnsServer } from './fakes/dns-server.js';
import { json, type ReceivedCall, Receiver } from './fakes/receiver.js';
import { type Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { encodeWire, openInvite, sealBytes, sealInvite } from './support/invites.js';
import { useQuickKeys } from './support/invite-keys.js';
import { learnSecret } from './support/secrets.mjs';
import { startTestServer, type TestServer } from './support/test-server.js';

const PATH = '/api/v4/remotecluster';
const CONFIRM = '/api/v4/remotecluster/confirm_invite';
const OUR_SITE = 'https://hookline.example.com/chat';
const DENIED = 'api.context.permissions.app_error';
const BODY = 'api.context.invalid_body_param.app_error';
const OFF = { enableRemoteClusters: false };
const NO_SITE = { siteUrl: undefined };
const NO_SITE_ID = 'api.get_site_url_error';
const DISABLED = 'api.remote_cluster.service_not_enabled.app_error';
const NOT_FOUND = 'api.remote_cluster.get.not_found';
const ROW_ID = 'model.cluster.is_valid.id.app_error';
const ROW_NAME = 'model.cluster.is_valid.name.app_error';
const NOT_BASE64 = 'api.remote_cluster.base64_decode_error';
const NOT_OPENED = 'api.remote_cluster.invite_decrypt_error';
const ID = /^[a-z0-9]{26}$/;
/** What a new record has in common with others. */
const EMPTY_RECORD = {
  ...{ remote_team_id: '', token: '', remote_token: '', topics: '', plugin_id: '', options: 0 },
  ...{ create_at: expect.any(Number), delete_at: 0, last_ping_at: 0, last_heard_at: 0 },
  last_global_user_sync_at: 0,
};
/** Fields that only the server sets. */
const THEIRS = {
  ...{ remote_id: newId(), remote_team_id: newId(), site_url: 'https://theirs.example.com' },
  ...{ create_at: 100, delete_at: 100, last_ping_at: 100, last_global_user_sync_at: 100 },
  ...{ token: newId(), remote_token: newId(), topics: 'a', creator_id: newId() },
  ...{ plugin_id: 'com.example.theirs', options: 3 },
};

/** Secrets that are looked for at the end of the file as well. */
class LearnedSecrets extends Set<string> {
  constructor(private readonly kind: string) {
    super();
  }

  override add(secret: string): this {
    learnSecret(this.kind, secret);
    return super.add(secret);
  }
}

/** Answers a call to the inviter. */
type Reply = Receiver['answer'];

/**
 * docs/contract/secure-connections.md#administration. All answers of the server and all secrets are recorded, so that a
 * test can search one for the other.
 */
describe('secure connections', () => {
  let server: TestServer;
  let admin: ApiClient;
  let local: ApiClient;
  let folder: string;
  let dns: DnsServer;
  let inviter: Receiver;
  let team: BuiltTeam;
  let member: BuiltUser;
  let acceptor: BuiltUser;
  let accepts = 0;
  let reply: Reply;
  const answers: { readonly call: string; readonly text: string }[] = [];
  const secrets = {
    tokens: new LearnedSecrets('token of a peer'),
    passwords: new LearnedSecrets('password of an invite'),
    invites: new LearnedSecrets('invite'),
  };

  beforeAll(async () => {
    recordAnswers();
    folder = mkdtempSync(join(tmpdir(), 'hookline-local-'));
    const socket = join(folder, 'local.sock');
    dns = await startDnsServer({});
    inviter = await Receiver.start((call, response) =>
      call.path.endsWith('/confirm_invite') ? reply(call, response) : json({}, 500)(call, response),
    );
    server = await startTestServer({
      LOCAL_MODE_SOCKET: socket,
      SITE_URL: `${OUR_SITE}/`,
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
      DNS_SERVERS: dns.address,
    });
    useQuickKeys(server);
    local = new ApiClient('http://localhost', '', socket);
    ({ admin } = server);
    expect((await list()).text).toBe('[]');
    team = await buildTeam(admin);
    member = await buildUser(server);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await server?.close();
    await inviter?.close();
    dns?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => onConfirm());

  /** Sets the inviter's answer to a confirmation; OK by default. */
  const onConfirm = (answer: Reply = json({ status: 'OK' })): void => void (reply = answer);

  /** Records all answers of the server for the search for secrets. */
  function recordAnswers(): void {
    const send = ApiClient.prototype.send;
    jest.spyOn(ApiClient.prototype, 'send').mockImplementation(async function (
      this: ApiClient,
      ...call: Parameters<ApiClient['send']>
    ) {
      const answer = await send.apply(this, call);
      answers.push({ call: `${call[0]} ${call[1]}`, text: answer.text });
      return answer;
    });
  }

  const rows = (): Repository<RemoteCluster> => server.app.get(DataSource).getRepository(RemoteCluster);
  const change = (connection: BuiltConnection, fields: Partial<RemoteCluster>): Promise<unknown> =>
    rows().update({ remoteId: connection.record.remote_id as string }, fields);
  const remember = (connection: BuiltConnection): BuiltConnection => {
    secrets.invites.add(connection.invite);
    secrets.passwords.add(connection.password);
    return connection;
  };
  /** Opens an invite as a peer does. */
  const opened = (invite: string, password = PASSWORD): Record<string, any> => {
    const { plaintext } = openInvite(invite, password);
    secrets.tokens.add(plaintext['token'] as string);
    return plaintext;
  };
  const build = async (fields: Record<string, unknown> = {}, client = admin): Promise<BuiltConnection> =>
    remember(await buildConnection(client, team.id, fields));
  const create = (fields: Record<string, unknown> = {}, client = admin): Promise<Answer> =>
    client.post(PATH, { name: 'lisbon', default_team_id: team.id, password: PASSWORD, ...fields });
  const get = (id: string, client = admin): Promise<Answer> => client.get(`${PATH}/${id}`);
  const list = (query = '', client = admin): Promise<Answer> => client.get(`${PATH}?${query}`);
  const patch = (id: string, fields: unknown, client = admin): Promise<Answer> =>
    client.patch(`${PATH}/${id}`, fields);
  const remove = (id: string, client = admin): Promise<Answer> => client.delete(`${PATH}/${id}`);
  const generate = (id: string, body: unknown = { password: PASSWORD }, client = admin): Promise<Answer> =>
    client.post(`${PATH}/${id}/generate_invite`, body);
  /** Accepts an invite, as another administrator after every nine calls because of the limit of ten a minute. */
  const accept = async (invite: unknown, fields: Record<string, unknown> = {}): Promise<Answer> => {
    if (accepts++ % 9 === 0) acceptor = await buildAdministrator(server);
    return acceptAs(acceptor.client, invite, fields);
  };
  const acceptAs = (client: ApiClient, invite: unknown, fields: Record<string, unknown>): Promise<Answer> =>
    client.post(`${PATH}/accept_invite`, {
      name: 'berlin',
      default_team_id: team.id,
      invite,
      password: PASSWORD,
      ...fields,
    });
  /** An invite of the inviter. */
  const seal = (plaintext: Record<string, any>, version: 2 | 3 = 3): string => {
    const invite = sealInvite(plaintext, PASSWORD, version);
    secrets.invites.add(invite);
    if (ID.test(String(plaintext['token']))) secrets.tokens.add(String(plaintext['token']));
    return invite;
  };
  const confirmsOf = (remoteId: string): ReceivedCall[] =>
    inviter.calls.filter(
      (call) => call.path.endsWith('/confirm_invite') && call.headers['x-remotecluster-id'] === remoteId,
    );
  const confirmBody = (call: ReceivedCall | undefined): any => {
    const body = JSON.parse(call?.body ?? '{}');
    for (const key of ['token', 'refreshed_token'])
      if (body.msg?.payload?.[key]) secrets.tokens.add(body.msg.payload[key]);
    return body;
  };
  /** An accepted connection and its invite. */
  const buildAccepted = async (
    fields: Record<string, unknown> = {},
  ): Promise<{ record: any; invite: string; plaintext: Record<string, any> }> => {
    const plaintext = invitation(inviter.origin);
    const invite = seal(plaintext);
    const answer = await accept(invite, fields);
    if (answer.status !== 201) throw new Error(`Not accepted: ${answer.text}`);
    confirmsOf(plaintext['remote_id'] as string).forEach(confirmBody);
    return { record: answer.body, invite, plaintext };
  };
  const expectNothingOf = async (remoteId: string): Promise<void> => {
    expectError(await get(remoteId), 404, NOT_FOUND);
    expect(await rows().countBy({ remoteId })).toBe(0);
  };
  /** The secrets found in answers. Answers with an invite may contain that invite. */
  const answeredSecrets = (): unknown[] =>
    answers
      .map(({ call, text }) => {
        const given = call === `POST ${PATH}` || call.endsWith('/generate_invite');
        return { call, leaks: leaks(text, given ? [...secrets.tokens, PASSWORD] : everySecret()) };
      })
      .filter((each) => each.leaks.length > 0);
  const storedSecrets = async (): Promise<unknown[]> => {
    const data = server.app.get(DataSource);
    const found = [];
    for (const { tableName } of data.entityMetadatas) {
      const stored = JSON.stringify(await data.query(`SELECT * FROM ${tableName}`));
      found.push({ tableName, leaks: leaks(stored, everySecret()) });
    }
    return found.filter((each) => each.leaks.length > 0);
  };
  const everySecret = (): string[] => [...secrets.tokens, ...secrets.passwords, ...secrets.invites];
  const leaks = (text: string, among: readonly string[]): string[] =>
    among.filter((secret) => text.includes(secret));

  it('checks the permission first, then whether secure connections are enabled', async () => {
    const calls: readonly ((client: ApiClient) => Promise<Answer>)[] = [
      (client) => list('', client),
      (client) => create({}, client),
      (client) => acceptAs(client, 'malformedinvite', {}),
      (client) => generate(newId(), undefined, client),
      (client) => get(newId(), client),
      (client) => patch(newId(), {}, client),
      (client) => remove(newId(), client),
      (client) => client.send('POST', PATH, undefined, { raw: '{' }),
    ];
    await server.withSettings(OFF, async () => {
      for (const call of calls) {
        for (const client of [admin, local]) expectError(await call(client), 501, DISABLED);
        expectError(await call(member.client), 403, DENIED);
      }
    });
  });

  describe('an invalid body', () => {
    it.each(['{', '[]', ''])('%p is a 400', async (raw) => {
      const send = (method: string, path: string): Promise<Answer> =>
        admin.send(method, `${PATH}${path}`, undefined, { raw });
      expectError(await send('POST', ''), 400, BODY, raw === '' ? undefined : 'remoteCluster');
      expectError(await send('POST', '/accept_invite'), 400, BODY, raw === '' ? undefined : 'remoteCluster');
      expectError(await send('POST', `/${newId()}/generate_invite`), 400, BODY);
      expectError(await send('PATCH', `/${newId()}`), 400, BODY, raw === '' ? undefined : 'remotecluster');
    });

    it('of megabytes is refused', async () => {
      const answer = await create({ display_name: 'x'.repeat(2_000_000) });
      expectError(answer, 413, 'api.context.request_body_too_large.app_error');
    });
  });

  describe('path', () => {
    it.each(['short', 'x'.repeat(27)])('%p is an unknown id', async (id) => {
      expectError(await get(id), 404, NOT_FOUND);
      expectError(await patch(id, {}), 404, NOT_FOUND);
      expectError(await remove(id), 404, NOT_FOUND);
      expectError(await generate(id), 404, NOT_FOUND);
    });

    it.each(['a-b', '%20', 'é'])('%p is not a route', async (id) => {
      expectError(await get(encodeURI(decodeURI(id))), 404, 'api.context.404.app_error');
    });
  });

  describe('create', () => {
    it('returns the whole record and an invite', async () => {
      const before = Date.now();
      const answer = await create({ display_name: 'Lisbon office' });
      expect(answer.status).toBe(201);
      const { remote_cluster: record, invite } = answer.body;
      expect(Object.keys(answer.body).sort()).toEqual(['invite', 'remote_cluster']);
      expect(record).toEqual({
        ...EMPTY_RECORD,
        remote_id: expect.stringMatching(ID),
        name: 'lisbon',
        display_name: 'Lisbon office',
        site_url: expect.stringMatching(/^pending_[a-z0-9]{26}$/),
        default_team_id: team.id,
        creator_id: server.adminId,
        standing: 'invited',
        standing_since: record.create_at,
        invite_expires_at: record.create_at + 48 * 3_600_000,
      });
      expect(record.create_at).toBeGreaterThanOrEqual(before);
      expect((await get(record.remote_id)).body).toEqual(record);
      secrets.invites.add(invite);
    });

    it.each([undefined, ''])('generates a password for %p', async (password) => {
      const { status, body } = await create({ password });
      expect(status).toBe(201);
      expect(body.password).toMatch(/^[A-Za-z0-9]{16}$/);
      expect(opened(body.invite, body.password)['remote_id']).toBe(body.remote_cluster.remote_id);
      secrets.invites.add(body.invite);
      secrets.passwords.add(body.password);
    });

    it('accepts names of 1 to 64 letters, digits and . _ -, and shows them as sent', async () => {
      for (const name of ['a', 'x'.repeat(64), 'A.b_c-9'])
        expect((await build({ name })).record).toMatchObject({
          name: name.toLowerCase(),
          display_name: name,
        });
      for (const name of ['a b', 'x'.repeat(65), 'münchen', 'a/b', '', null, undefined])
        expectError(await create({ name }), 400, ROW_NAME, 'name');
    });

    it('accepts a display name of 64 characters', async () => {
      expect((await build({ display_name: 'x'.repeat(64) })).record.display_name).toHaveLength(64);
      expectError(await create({ display_name: 'x'.repeat(65) }), 400, undefined, 'display_name');
      expectError(await create({ display_name: 'a\0b' }), 400, undefined, 'display_name');
    });

    it('removes bidirectional control characters from the display name', async () => {
      const { record } = await build({ display_name: 'Lis\u202ebon\u202c' });
      expect(record.display_name).toBe('Lisbon');
      expect((await patch(record.remote_id, { display_name: '\u202eOffice' })).body.display_name).toBe(
        'Office',
      );
    });

    it.each([{}, { name: 'lisbon', default_team_id: '' }])('requires a team: %p', async (body) => {
      expectError(await admin.post(PATH, body), 400, BODY, 'default_team_id');
    });

    it('requires an object', async () => {
      expectError(await admin.post(PATH, null), 400, BODY, 'remoteCluster');
    });

    it('does not look up the team, only validates its id', async () => {
      const unknown = newId();
      expect((await build({ default_team_id: unknown })).record.default_team_id).toBe(unknown);
      for (const id of ['junk', 'x'.repeat(27), `${'x'.repeat(25)}-`])
        expectError(await create({ default_team_id: id }), 400, ROW_ID, 'default_team_id');
    });

    it('checks body, site, team and record in this order', async () => {
      await server.withSettings(NO_SITE, async () => {
        expectError(await create(), 422, NO_SITE_ID);
        expectError(await admin.post(PATH, {}), 422, NO_SITE_ID);
        expectError(await create({ name: 'a b' }), 422, NO_SITE_ID);
        expectError(await admin.post(PATH, undefined, { raw: '[]' }), 400, BODY);
      });
      expectError(await create({ name: 'a b', default_team_id: '' }), 400, BODY, 'default_team_id');
      expectError(await create({ name: 'a b', default_team_id: 'junk' }), 400, ROW_NAME);
    });

    it('sets all other fields itself', async () => {
      const { record, invite } = await build(THEIRS);
      for (const [key, value] of Object.entries(THEIRS)) expect(record[key]).not.toBe(value);
      expect(record).toMatchObject({ delete_at: 0, topics: '', creator_id: server.adminId, plugin_id: '' });
      expect(opened(invite)['token']).not.toBe(THEIRS.token);
    });
  });

  describe('list', () => {
    let lister: BuiltUser;
    let alpha: BuiltConnection;
    let beta: BuiltConnection;
    let gamma: BuiltConnection;
    let plugin: BuiltConnection;
    let gone: BuiltConnection;

    beforeAll(async () => {
      lister = await buildAdministrator(server);
      // The names and the display names are in opposite orders.
      gamma = await build({ name: 'a1', display_name: 'gamma' }, lister.client);
      beta = await build({ name: 'b1', display_name: 'beta' }, lister.client);
      alpha = await build({ name: 'c1', display_name: 'alpha' }, lister.client);
      plugin = await build({ name: 'd1', display_name: 'plugin' }, lister.client);
      gone = await build({ name: 'e1', display_name: 'gone' }, lister.client);
      await change(plugin, { pluginId: 'com.example.bridge', siteUrl: 'plugin_com.example.bridge' });
      await remove(gone.record.remote_id);
    });

    const mine = async (query = ''): Promise<string[]> => {
      const answer = await list(`creator_id=${lister.id}&${query}`);
      expect(answer.status).toBe(200);
      return answer.body.map((record: any) => record.display_name);
    };

    it('returns whole records without their secrets, by display name', async () => {
      const { body } = await list(`creator_id=${lister.id}&exclude_plugins=true`);
      expect(body).toEqual([alpha.record, beta.record, gamma.record]);
    });

    it.each([
      ['include_deleted=true', ['alpha', 'beta', 'gamma', 'gone', 'plugin']],
      ['exclude_plugins=true', ['alpha', 'beta', 'gamma']],
      ['exclude_plugins=true&include_deleted=true', ['alpha', 'beta', 'gamma', 'gone']],
      ['only_plugins=T', ['plugin']],
      ['only_plugins=true&exclude_plugins=true', []],
      ['plugin_id=com.example.bridge', ['plugin']],
      ['plugin_id=com.example', []],
      ['page=1&per_page=1', ['beta']],
      ['page=0&pageSize=2', ['alpha', 'beta']],
      ['page=9&per_page=3', []],
    ])('with %s returns %j', async (query, names) => {
      expect(await mine(query)).toEqual(names);
    });

    it('has pages of 60, and of at most 200', async () => {
      const crowd = newId();
      const model = await rows().findOneByOrFail({ remoteId: alpha.record.remote_id });
      const copies = Array.from({ length: 205 }, (_, index) => ({
        ...model,
        ...((id) => ({ id, liveId: id, remoteId: id }))(newId()),
        creatorId: crowd,
        name: `n${index}`,
        displayName: `n${String(index).padStart(3, '0')}`,
      }));
      await rows().insert(copies);
      const names = async (query: string): Promise<string[]> =>
        (await list(`creator_id=${crowd}&${query}`)).body.map((record: any) => record.display_name);
      const all = copies.map((copy) => copy.displayName);
      expect(await names('per_page=1000')).toEqual(all.slice(0, 200));
      expect(await names('per_page=1000&page=1')).toEqual(all.slice(200));
      for (const query of ['', 'per_page=-1', 'per_page=x', 'page=x', 'page=-1', 'per_page=&page='])
        expect(await names(query)).toEqual(all.slice(0, 60));
      await rows().delete({ creatorId: crowd });
    });

    it('omits peers that were silent for five minutes', async () => {
      const now = Date.now();
      await change(alpha, { lastPingAt: now - 299_000 });
      await change(beta, { lastPingAt: now - 301_000 });
      await change(gamma, { lastPingAt: now - 300_000 });
      const clock = jest.spyOn(server.app.get(Clock), 'now').mockReturnValue(now);
      try {
        expect(await mine('exclude_offline=true')).toEqual(['alpha']);
        expect(await mine('exclude_offline=false&exclude_plugins=true')).toEqual(['alpha', 'beta', 'gamma']);
      } finally {
        clock.mockRestore();
        for (const connection of [alpha, beta, gamma]) await change(connection, { lastPingAt: 0 });
      }
    });

    it('omits unconfirmed ones', async () => {
      const accepted = await buildAccepted({ display_name: 'delta' });
      const all = (await list('only_confirmed=true&exclude_plugins=true&per_page=200')).body as any[];
      expect(all.map((record) => record.remote_id)).toContain(accepted.record.remote_id);
      expect(all.filter((record) => record.site_url.startsWith('pending_'))).toEqual([]);
    });

    it('filters by topic', async () => {
      await change(alpha, { topics: ' news sport ' });
      await change(beta, { topics: '*' });
      await change(gamma, { topics: ' newspaper ' });
      expect(await mine('topic=news')).toEqual(['alpha', 'beta']);
      expect(await mine('topic=%20sport%20')).toEqual(['alpha', 'beta']);
      expect(await mine('topic=weather')).toEqual(['beta']);
      expect(await mine('topic=')).toEqual(['alpha', 'beta', 'gamma', 'plugin']);
      for (const pattern of ['%25', '_ews', 'new%25', "'"])
        expect(await mine(`topic=${pattern}`)).toEqual(['beta']);
      for (const none of ['*', '%20', '%20*%20'])
        expectError(await list(`topic=${none}`), 400, undefined, 'topic');
    });

    it('filters by shared channel', async () => {
      const share = await shareChannel(alpha.record.remote_id, newId());
      expect(await mine(`in_channel=${share.channelId}`)).toEqual(['alpha']);
      expect(await mine(`not_in_channel=${share.channelId}`)).toEqual(['beta', 'gamma', 'plugin']);
      expect(await mine(`in_channel=${newId()}`)).toEqual([]);
      expect(await mine(`not_in_channel=${newId()}`)).toEqual(['alpha', 'beta', 'gamma', 'plugin']);
      for (const query of ['in_channel=', 'not_in_channel='])
        expect(await mine(query)).toEqual(['alpha', 'beta', 'gamma', 'plugin']);
    });

    it.each(['in_channel', 'not_in_channel', 'creator_id'])('refuses an invalid %s', async (name) => {
      expectError(await list(`${name}=junk`), 400, 'api.context.invalid_url_param.app_error', name);
    });
  });

  /** The rows of a channel that is shared over one connection. */
  async function shareChannel(remoteId: string, channelId: string): Promise<SharedChannelRemote> {
    const times = { createAt: 1, updateAt: 1 };
    const data = server.app.get(DataSource);
    const names = { name: 'shared', displayName: 'Shared', purpose: '', header: '' };
    const place = { teamId: team.id, home: true, readonly: false, remoteId: '', type: 'O' };
    const creatorId = server.adminId;
    await data
      .getRepository(SharedChannel)
      .upsert({ channelId, ...place, ...names, creatorId, ...times }, ['channelId']);
    const share = {
      ...{ id: newId(), channelId, remoteId, creatorId, ...times, deleteAt: 0, inviteError: '' },
      ...{ isFromPeer: false, isWithdrawn: false, isInviteAccepted: true, isInviteConfirmed: true },
      ...{ lastPostUpdateAt: 0, lastPostId: '', lastPostCreateAt: 0, lastPostCreateId: '' },
      isBehind: false,
    };
    await data.getRepository(SharedChannelRemote).insert(share);
    return share;
  }

  describe('get, patch and delete', () => {
    it('get returns a record without its secrets, even a deleted one', async () => {
      const { record } = await build();
      const { record: accepted } = await buildAccepted();
      expect(await get(record.remote_id)).toMatchObject({ status: 200, body: record });
      expect((await get(accepted.remote_id)).body).toMatchObject({ token: '', remote_token: '' });
      await remove(record.remote_id);
      const answer = await get(record.remote_id);
      expect(answer.status).toBe(200);
      const { delete_at: deletedAt } = answer.body;
      expect(deletedAt).toBeGreaterThan(0);
      const gone = { standing: 'deleted', standing_since: deletedAt, invite_expires_at: 0 };
      expect(answer.body).toEqual({ ...record, ...gone, delete_at: deletedAt });
      expectError(await get(newId()), 404, NOT_FOUND);
    });

    it('patch changes both fields of pending and confirmed connections', async () => {
      for (const record of [(await build()).record, (await buildAccepted()).record]) {
        const fields = { display_name: 'Office', default_team_id: newId() };
        const answer = await patch(record.remote_id, fields);
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual({ ...record, ...fields });
        expect((await get(record.remote_id)).body).toEqual(answer.body);
      }
    });

    it('patch ignores absent and null fields, and falls back to the name', async () => {
      const { record } = await build({ display_name: 'Office' });
      const one = await patch(record.remote_id, { display_name: 'Other', default_team_id: null });
      expect(one.body).toEqual({ ...record, display_name: 'Other' });
      const two = await patch(record.remote_id, { default_team_id: '' });
      expect(two.body).toEqual({ ...record, display_name: 'Other', default_team_id: '' });
      expect(await patch(record.remote_id, {})).toMatchObject({ status: 200, body: two.body });
      expect((await patch(record.remote_id, { display_name: '' })).body.display_name).toBe('lisbon');
    });

    it('patch in parallel keeps both changes', async () => {
      const { record } = await build();
      for (const display_name of ['Office', 'Branch', 'Depot', 'Harbour', 'Market']) {
        const default_team_id = newId();
        await Promise.all([
          patch(record.remote_id, { display_name }),
          patch(record.remote_id, { default_team_id }),
        ]);
        expect((await get(record.remote_id)).body).toEqual({ ...record, display_name, default_team_id });
      }
    });

    it('patch changes nothing else', async () => {
      const { record } = await build();
      const answer = await patch(record.remote_id, { ...THEIRS, name: 'theirs' });
      expect(answer).toMatchObject({ status: 200, body: record });
    });

    it('patch refuses invalid values', async () => {
      const { record } = await build();
      for (const id of ['junk', 'x'.repeat(27)])
        expectError(await patch(record.remote_id, { default_team_id: id }), 400, ROW_ID, 'default_team_id');
      const long = await patch(record.remote_id, { display_name: 'x'.repeat(65) });
      expectError(long, 400, undefined, 'display_name');
      expect((await get(record.remote_id)).body).toEqual(record);
    });

    it('patch validates the body before it looks up the record', async () => {
      expectError(await patch(newId(), { display_name: 'x' }), 404, NOT_FOUND);
      const { record } = await build();
      await remove(record.remote_id);
      expectError(await patch(record.remote_id, { display_name: 'x' }), 404, NOT_FOUND);
      const broken = await admin.patch(`${PATH}/${record.remote_id}`, undefined, { raw: '{' });
      expectError(broken, 400, BODY, 'remotecluster');
    });

    it('delete works once', async () => {
      for (const record of [(await build()).record, (await buildAccepted()).record]) {
        const answer = await remove(record.remote_id);
        expect(answer).toMatchObject({ status: 200, text: '{"status":"OK"}' });
        expectError(await remove(record.remote_id), 404, NOT_FOUND);
      }
      expectError(await remove(newId()), 404, NOT_FOUND);
    });

    it('delete in parallel works once', async () => {
      const { record } = await build();
      const statuses = await Promise.all(
        [1, 2, 3, 4].map(async () => (await remove(record.remote_id)).status),
      );
      expect(statuses.sort()).toEqual([200, 404, 404, 404]);
    });
  });

  describe('generate invite', () => {
    it('returns one JSON string that decrypts to the same token', async () => {
      const { record, invite } = await build();
      const password = 'another password';
      const answer = await generate(record.remote_id, { password });
      expect(answer.status).toBe(201);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(typeof answer.body).toBe('string');
      expect(answer.body).not.toBe(invite);
      expect(opened(answer.body, password)).toEqual(opened(invite));
      const { body: after } = await get(record.remote_id);
      const { standing_since: issuedAt } = after;
      const renewed = { standing_since: issuedAt, invite_expires_at: issuedAt + 48 * 3_600_000 };
      expect(after).toEqual({ ...record, ...renewed });
      expect(issuedAt).toBeGreaterThanOrEqual(record.standing_since);
      secrets.invites.add(answer.body);
      secrets.passwords.add(password);
    });

    it.each([{}, { password: '' }, { password: 12345678 }, null])('requires a password: %p', async (body) => {
      const { record } = await build();
      expectError(await generate(record.remote_id, body), 400, BODY, 'password');
    });

    it('checks password, site and record in this order', async () => {
      await server.withSettings(NO_SITE, async () => {
        expectError(await generate(newId(), {}), 400, BODY, 'password');
        expectError(await generate(newId()), 422, NO_SITE_ID);
      });
      expectError(await generate(newId()), 404, NOT_FOUND);
    });

    it('is refused for confirmed and deleted ones', async () => {
      const { record } = await buildAccepted();
      const isConfirmed = 'api.remote_cluster.generate_invite_cluster_is_confirmed';
      expectError(await generate(record.remote_id), 400, isConfirmed);
      await remove(record.remote_id);
      expectError(await generate(record.remote_id), 404, NOT_FOUND);
      const { record: pending } = await build();
      await remove(pending.remote_id);
      expectError(await generate(pending.remote_id), 404, NOT_FOUND);
    });
  });

  describe('over the local socket', () => {
    it('create and accept use the named user', async () => {
      const creator_id = member.id;
      const created = await create({ creator_id }, local);
      expect(created).toMatchObject({ status: 201, body: { remote_cluster: { creator_id } } });
      secrets.invites.add(created.body.invite);
      const accepted = await acceptAs(local, seal(invitation(inviter.origin)), { creator_id });
      expect(accepted).toMatchObject({ status: 201, body: { creator_id } });
    });

    it('create and accept require an existing user', async () => {
      const invite = seal(invitation(inviter.origin));
      for (const creator_id of [undefined, '', null, 'junk', newId()]) {
        expectError(await create({ creator_id }, local), 400, BODY, 'creator_id');
        expectError(await acceptAs(local, invite, { creator_id }), 400, BODY, 'creator_id');
      }
    });

    it('the other calls require no user', async () => {
      const { record, invite } = await build();
      expect((await get(record.remote_id, local)).body).toEqual(record);
      expect((await list('per_page=200', local)).body).toContainEqual(record);
      const again = await generate(record.remote_id, undefined, local);
      expect(opened(again.body)).toEqual(opened(invite));
      secrets.invites.add(again.body);
      expect((await patch(record.remote_id, { display_name: 'x' }, local)).body.display_name).toBe('x');
      expect((await remove(record.remote_id, local)).body).toEqual({ status: 'OK' });
    });
  });

  describe('audit', () => {
    const audits = async (): Promise<any[]> =>
      ((await admin.get('/audits?per_page=200')).body as any[]).filter(({ action }) =>
        /remote/i.test(action),
      );
    const row = (action: string, target: unknown, status: number, error_id = ''): unknown =>
      expect.objectContaining({
        action,
        target,
        status_code: status,
        error_id,
        result: status < 400 ? 'success' : 'fail',
      });

    it('has one row per change, with its user and its result', async () => {
      const auditor = await buildAdministrator(server);
      const before = new Set((await audits()).map(({ id }) => id));
      const { record } = await build({}, auditor.client);
      const id = record.remote_id as string;
      secrets.invites.add((await generate(id, undefined, auditor.client)).body as string);
      await patch(id, { display_name: 'x' }, auditor.client);
      await remove(id, auditor.client);
      await remove(id, auditor.client);
      await create({ name: 'a b' }, auditor.client);
      await create({}, (await buildUser(server)).client); // a first refusal has its own row
      const plaintext = invitation(inviter.origin);
      const invite = seal(plaintext);
      await acceptAs(auditor.client, invite, { password: 'wrong' });
      await acceptAs(auditor.client, invite, {});
      const fresh = (await audits()).filter((each) => !before.has(each.id));
      const expected = [
        row('createRemoteCluster', id, 201),
        row('generateRemoteClusterInvite', id, 201),
        row('patchRemoteCluster', id, 200),
        row('deleteRemoteCluster', id, 200),
        row('deleteRemoteCluster', id, 404, NOT_FOUND),
        row('createRemoteCluster', '', 400, ROW_NAME),
        row('createRemoteCluster', '', 403, DENIED),
        row('remoteClusterAcceptInvite', '', 400, NOT_OPENED),
        row('remoteClusterAcceptInvite', plaintext['remote_id'], 201),
      ];
      expect(fresh).toEqual(expect.arrayContaining(expected)); // in any order, because some are in the same millisecond
      expect(fresh).toHaveLength(expected.length);
      const by = (each: any): unknown => each.user_id;
      expect(fresh.filter((each) => each.status_code !== 403).map(by)).toEqual(
        Array.from({ length: 8 }, () => auditor.id),
      );
    });

    it('contains the listed fields: the record, and its previous state', async () => {
      const { record } = await build({ display_name: 'Before' });
      const id = record.remote_id as string;
      await patch(id, { display_name: 'After' });
      await remove(id);
      const { record: accepted } = await buildAccepted({ display_name: 'Met' });
      const kept = async (action: string, target: string): Promise<string> => {
        const found = (await audits()).find((each) => each.action === action && each.target === target);
        return JSON.stringify(found.parameters);
      };
      expect(await kept('createRemoteCluster', id)).toMatch(/lisbon.*Before/);
      expect(await kept('patchRemoteCluster', id)).toContain('After');
      expect(await kept('patchRemoteCluster', id)).toContain('Before');
      expect(await kept('deleteRemoteCluster', id)).toContain('After');
      const acceptance = await kept('remoteClusterAcceptInvite', accepted.remote_id as string);
      for (const value of ['berlin', 'Met', inviter.origin]) expect(acceptance).toContain(value);
    });
  });

  describe('accept', () => {
    it('returns the whole record, without its secrets', async () => {
      const plaintext = invitation(inviter.origin);
      const before = Date.now();
      const answer = await accept(seal(plaintext), { name: 'Berlin', display_name: 'Berlin office' });
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        ...EMPTY_RECORD,
        remote_id: plaintext['remote_id'],
        name: 'berlin',
        display_name: 'Berlin office',
        site_url: inviter.origin,
        default_team_id: team.id,
        creator_id: acceptor.id,
        standing: 'offline',
        standing_since: expect.any(Number),
        invite_expires_at: 0,
      });
      expect(answer.body.standing_since).toBeGreaterThanOrEqual(before);
      expect(answer.body.create_at).toBeGreaterThanOrEqual(before);
      expect((await get(plaintext['remote_id'])).body).toEqual(answer.body);
    });

    it('reads any order of keys, and ignores unknown ones', async () => {
      const { version, token, ...rest } = invitation(`${inviter.origin}/chat`);
      const answer = await accept(seal({ unknown: { deep: [1] }, version, ...rest, token }));
      expect(answer).toMatchObject({ status: 201, body: { site_url: `${inviter.origin}/chat` } });
      expect(confirmsOf(rest['remote_id'])[0]!.path).toBe(`/chat${CONFIRM}`);
    });

    it('reads an invite with line breaks', async () => {
      const invite = seal(invitation(inviter.origin));
      const lines = `${invite.replace(/.{64}/g, '$&\r\n')}\n`;
      expect((await accept(lines)).status).toBe(201);
    });

    it.each([undefined, '', null, 'junk', newId()])('requires an existing team: %p', async (id) => {
      expectError(await accept('malformedinvite', { default_team_id: id }), 400, BODY, 'default_team_id');
    });

    it('requires a string as invite', async () => {
      for (const invite of [7, {}, ['x'], true]) expectError(await accept(invite), 400, BODY, 'invite');
      expectError(await accept('x', { password: 7 }), 400, BODY, 'password');
      for (const invite of [undefined, null, '']) expect((await accept(invite)).status).toBe(400);
    });

    it('refuses an invite followed by other text', async () => {
      const plaintext = invitation(inviter.origin);
      const bytes = Buffer.from(`${JSON.stringify(plaintext)} 1`);
      expectError(await accept(sealBytes(bytes, PASSWORD, 3)), 400, NOT_OPENED);
      await expectNothingOf(plaintext['remote_id']);
    });

    it('checks team, alphabet, password, site and name in this order', async () => {
      const plaintext = invitation(inviter.origin);
      const invite = seal(plaintext);
      expectError(await accept('?', { default_team_id: newId(), name: '' }), 400, BODY, 'default_team_id');
      await server.withSettings(NO_SITE, async () => {
        expectError(await accept('?'), 400, NOT_BASE64);
        expectError(await accept(invite, { password: 'wrong' }), 400, NOT_OPENED);
        expectError(await accept(invite, { name: '' }), 422, NO_SITE_ID);
        expectError(await accept(invite), 422, NO_SITE_ID);
      });
      for (const name of ['', undefined, 'a b', 'x'.repeat(65), 'münchen'])
        expectError(await accept(invite, { name }), 400, ROW_NAME, 'name');
      expectError(await accept(invite, { display_name: 'x'.repeat(65) }), 400, undefined, 'display_name');
      await expectNothingOf(plaintext['remote_id']);
      expect(confirmsOf(plaintext['remote_id'])).toEqual([]);
      expect((await accept(invite)).status).toBe(201);
    });

    it.each([
      [401, { id: 'api.context.invalid_token.error' }, 'ask for a new one'],
      [400, { id: 'api.context.invitation_expired.error' }, 'ask for a new one'],
      [400, { id: 'api.command_remote.confirm_invitation.error' }, 'ask for a new one'],
      [500, { id: 'api.command_remote.confirm_invitation.error' }, 'it can be tried again'],
      [400, { id: 'api.context.invalid_body_param.app_error' }, 'it can be tried again'],
      [400, { id: ['api.context.invitation_expired.error'] }, 'it can be tried again'],
      [403, '<html>Denied</html>', 'it can be tried again'],
    ])('reports an inviter that responds %d with %j, and %s', async (status, said, advice) => {
      onConfirm(json(said, status));
      const { body } = await accept(seal(invitation(inviter.origin)));
      expect(body.message).toContain(`The peer responded with ${status}.`);
      expect(body.message).toContain(advice);
    });
  });

  describe('attempts to accept', () => {
    it('are limited to ten a minute per user', async () => {
      const hasty = await buildAdministrator(server);
      const invite = shortened();
      const first = await Promise.all(
        Array.from({ length: 10 }, async () => (await acceptAs(hasty.client, invite, {})).status),
      );
      expect(first).toEqual(Array.from({ length: 10 }, () => 400));
      const answer = await acceptAs(hasty.client, invite, {});
      expect(answer.status).toBe(429);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expectError(await accept(invite), 400, NOT_OPENED);
      expect((await list('', hasty.client)).status).toBe(200);
    });
    const shortened = (): string => encodeWire(Buffer.alloc(60, 1));
  });

  describe('no secret', () => {
    it('is in a response, except the invite and the password for their requester', async () => {
      await patch((await buildAccepted()).record.remote_id, { display_name: 'Office' });
      await list('per_page=200&include_deleted=true');
      await admin.get('/audits?per_page=200');
      await server.anonymous.get('/metrics');
      expect(secrets.tokens.size).toBeGreaterThan(4);
      expect(answeredSecrets()).toEqual([]);
    });

    it('can be read in the database', async () => {
      expect(await storedSecrets()).toEqual([]);
    });
  });
});
