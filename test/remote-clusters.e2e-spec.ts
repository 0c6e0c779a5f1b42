import { DataSource } from 'typeorm';
import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { SharedChannel, SharedChannelRemote } from '../src/shared-channels/shared-channel.entity.js';
import { whileGranting } from './factories/incoming-hooks.js';
import {
  buildAdministrator,
  type BuiltConnection,
  invitation,
  INVITE_PASSWORD as PASSWORD,
} from './factories/remote-clusters.js';
import { type BuiltUser, buildUser } from './factories/users.js';
import { expectError } from './support/expect-error.js';
import { type Answer, type ApiClient } from './support/api-client.mjs';
import {
  PATH,
  OUR_SITE,
  DENIED,
  BODY,
  OFF,
  NO_SITE,
  NO_SITE_ID,
  DISABLED,
  NOT_FOUND,
  ROW_ID,
  ROW_NAME,
  NOT_OPENED,
  ID,
  KEYS,
  connectionsSuite,
} from './support/connections-suite.js';
import { decodeWire, openInvite, openText } from './support/invites.js';

/** docs/contract/secure-connections.md#administration */
describe('remote clusters', () => {
  const suite = connectionsSuite();
  const {
    rows,
    change,
    opened,
    build,
    create,
    get,
    list,
    patch,
    remove,
    generate,
    acceptAs,
    seal,
    buildAccepted,
    secrets,
    onConfirm,
  } = suite;
  let { server, admin, local, inviter, team, member, listAtStart } = suite.state();

  beforeAll(async () => {
    await suite.start();
    ({ server, admin, local, inviter, team, member, listAtStart } = suite.state());
  });
  beforeEach(() => onConfirm());
  afterAll(() => suite.close());

  const seven: readonly [string, (client: ApiClient) => Promise<Answer>][] = [
    ['list', (client) => list('', client)],
    ['create', (client) => create({}, client)],
    ['accept', (client) => acceptAs(client, 'malformedinvite', {})],
    ['generate', (client) => generate(newId(), undefined, client)],
    ['get', (client) => get(newId(), client)],
    ['patch', (client) => patch(newId(), {}, client)],
    ['delete', (client) => remove(newId(), client)],
  ];

  describe.each(seven)('access to %s', (_, call) => {
    it('is switched off with the service, before any other check', async () => {
      await server.withSettings(OFF, async () => expectError(await call(admin), 501, DISABLED));
    });

    it('requires the permission, which is checked first', async () => {
      expectError(await call(member.client), 403, DENIED);
      await server.withSettings(OFF, async () => expectError(await call(member.client), 403, DENIED));
      await whileGranting(server, 'system_user', ['manage_shared_channels'], async () => {
        expectError(await call(member.client), 403, DENIED);
      });
    });

    it('requires a session', async () => {
      const id = 'api.context.session_expired.app_error';
      expectError(await call(server.anonymous), 401, id);
      await server.withSettings(OFF, async () => expectError(await call(server.anonymous), 401, id));
    });

    it('requires only manage_secure_connections', async () => {
      const holder = await buildUser(server, { roles: 'system_user system_post_all' });
      await whileGranting(server, 'system_post_all', ['manage_secure_connections'], async () => {
        expect((await call(holder.client)).status).not.toBe(403);
        expectError(await call(member.client), 403, DENIED);
      });
      expectError(await call(holder.client), 403, DENIED);
    });
  });

  describe('an invalid body', () => {
    it('is not parsed before permission and service are checked', async () => {
      const calls: [string, string][] = [
        ['POST', PATH],
        ['POST', `${PATH}/accept_invite`],
        ['POST', `${PATH}/${newId()}/generate_invite`],
        ['PATCH', `${PATH}/${newId()}`],
      ];
      for (const [method, path] of calls) {
        const send = (client: ApiClient): Promise<Answer> =>
          client.send(method, path, undefined, { raw: '{' });
        expectError(await send(member.client), 403, DENIED);
        await server.withSettings(OFF, async () => expectError(await send(admin), 501, DISABLED));
      }
    });

    it.each(['{', '[]', '"text"', '7', ''])('%p is a 400', async (raw) => {
      const send = (method: string, path: string): Promise<Answer> =>
        admin.send(method, `${PATH}${path}`, undefined, { raw });
      expectError(await send('POST', ''), 400, BODY, raw === '' ? undefined : 'remoteCluster');
      expectError(await send('POST', '/accept_invite'), 400, BODY, raw === '' ? undefined : 'remoteCluster');
      expectError(await send('POST', `/${newId()}/generate_invite`), 400, BODY);
      expectError(await send('PATCH', `/${newId()}`), 400, BODY, raw === '' ? undefined : 'remotecluster');
    });

    it.each(['name', 'display_name', 'default_team_id', 'password'])(
      'with a %s that is not a string returns a 400 naming it',
      async (field) => {
        for (const value of [7, true, {}, ['x']]) {
          expectError(await create({ [field]: value }), 400, BODY, field);
          if (field !== 'name' && field !== 'password')
            expectError(await patch(newId(), { [field]: value }), 400, BODY, field);
        }
      },
    );

    it('of megabytes is refused', async () => {
      const answer = await create({ display_name: 'x'.repeat(2_000_000) });
      expectError(answer, 413, 'api.context.request_body_too_large.app_error');
    });
  });

  describe('path', () => {
    it.each(['short', 'ping', '7', 'x'.repeat(27)])('%p is an unknown id', async (id) => {
      expectError(await get(id), 404, NOT_FOUND);
      expectError(await patch(id, {}), 404, NOT_FOUND);
      expectError(await remove(id), 404, NOT_FOUND);
      expectError(await generate(id), 404, NOT_FOUND);
    });

    it.each(['a-b', 'accept_invite', '%20', 'a.b', 'é'])('%p is not a route', async (id) => {
      expectError(await get(encodeURI(decodeURI(id))), 404, 'api.context.404.app_error');
    });
  });

  describe('create', () => {
    it('returns the whole record and an invite', async () => {
      const before = Date.now();
      const answer = await create({ display_name: 'Lisbon office' });
      expect(answer.status).toBe(201);
      expect(answer.headers['content-type']).toBe('application/json');
      const { remote_cluster: record, invite } = answer.body;
      expect(Object.keys(answer.body).sort()).toEqual(['invite', 'remote_cluster']);
      expect(record).toEqual({
        remote_id: expect.stringMatching(ID),
        remote_team_id: '',
        name: 'lisbon',
        display_name: 'Lisbon office',
        site_url: expect.stringMatching(/^pending_[a-z0-9]{26}$/),
        default_team_id: team.id,
        create_at: expect.any(Number),
        delete_at: 0,
        last_ping_at: 0,
        last_global_user_sync_at: 0,
        token: '',
        remote_token: '',
        topics: '',
        creator_id: server.adminId,
        plugin_id: '',
        options: 0,
        standing: 'invited',
        standing_since: record.create_at,
        invite_expires_at: record.create_at + 48 * 3_600_000,
        last_heard_at: 0,
      });
      expect(record.create_at).toBeGreaterThanOrEqual(before);
      expect((await get(record.remote_id)).body).toEqual(record);
      secrets.invites.add(invite);
    });

    it('writes an invite that a peer can read: site URL, token, version 3', async () => {
      const { record, invite } = await build();
      const { text, kdf } = openText(invite, PASSWORD);
      const { token } = opened(invite);
      expect(kdf).toBe('pbkdf2');
      expect(text).toBe(
        `{"remote_id":"${record.remote_id}","remote_team_id":"","site_url":"${OUR_SITE}","token":"${token}","version":3}`,
      );
      expect(token).toMatch(ID);
    });

    it('writes version 2 when older peers must read it', async () => {
      const { invite } = await server.withSettings({ legacyInvites: true }, () => build());
      expect(openInvite(invite, PASSWORD)).toMatchObject({ kdf: 'scrypt', plaintext: { version: 2 } });
      expect(opened(invite)['token']).toMatch(ID);
    });

    it.each([undefined, '', null])('generates a password for %p', async (password) => {
      const { status, body } = await create({ password });
      expect({ status, keys: Object.keys(body).sort() }).toEqual({
        status: 201,
        keys: ['invite', 'password', 'remote_cluster'],
      });
      expect(body.password).toMatch(/^[A-Za-z0-9]{16}$/);
      expect(opened(body.invite, body.password)['remote_id']).toBe(body.remote_cluster.remote_id);
      secrets.invites.add(body.invite);
      secrets.passwords.add(body.password);
    });

    it('uses a password unchanged, including trailing spaces', async () => {
      const password = ' pässwörd-日本 ';
      const { invite } = await build({ password });
      expect(opened(invite, password)['token']).toMatch(ID);
      expect(() => openInvite(invite, password.trim())).toThrow();
    });

    it('never writes the same bytes twice', async () => {
      const [one, two] = [await build(), await build()];
      const start = (invite: string): string => decodeWire(invite).subarray(0, 28).toString('hex');
      expect(start(one.invite)).not.toBe(start(two.invite));
      expect(opened(one.invite)['token']).not.toBe(opened(two.invite)['token']);
    });

    it('stores the name in lower case, and shows it as it was sent', async () => {
      const { record } = await build({ name: 'My.Srv' });
      expect(record).toMatchObject({ name: 'my.srv', display_name: 'My.Srv' });
      const { record: other } = await build({ name: 'My.Srv', display_name: '' });
      expect(other).toMatchObject({ name: 'my.srv', display_name: 'My.Srv' });
    });

    it('accepts names of 1 to 64 letters, digits and . _ -', async () => {
      for (const name of ['a', 'x'.repeat(64), 'A.b_c-9'])
        expect((await build({ name })).record.name).toBe(name.toLowerCase());
      for (const name of ['a b', ' a', 'x'.repeat(65), 'münchen', '日本', 'a/b', 'a@b', '', null, undefined])
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

    it.each([{}, null, { password: PASSWORD }, { name: 'lisbon', default_team_id: '' }])(
      'requires a team: %p',
      async (body) => {
        expectError(await admin.post(PATH, body), 400, BODY, 'default_team_id');
      },
    );

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
      const theirs = {
        remote_id: newId(),
        remote_team_id: newId(),
        site_url: 'https://theirs.example.com',
        create_at: 100,
        delete_at: 100,
        last_ping_at: 100,
        last_global_user_sync_at: 100,
        token: newId(),
        remote_token: newId(),
        topics: 'a',
        creator_id: member.id,
        plugin_id: 'com.example.theirs',
        options: 3,
      };
      const { record, invite } = await build(theirs);
      for (const [key, value] of Object.entries(theirs)) expect(record[key]).not.toBe(value);
      expect(record).toMatchObject({ delete_at: 0, topics: '', creator_id: server.adminId, plugin_id: '' });
      expect(opened(invite)['token']).not.toBe(theirs.token);
    });

    it('creates two connections with the same name', async () => {
      const [one, two] = [await build(), await build()];
      expect(one.record.name).toBe(two.record.name);
      expect(one.record.remote_id).not.toBe(two.record.remote_id);
      expect(one.record.site_url).not.toBe(two.record.site_url);
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

    it('is empty at first', () => {
      expect({ status: listAtStart.status, text: listAtStart.text }).toEqual({ status: 200, text: '[]' });
    });

    it('returns whole records without their secrets, by display name', async () => {
      const { body } = await list(`creator_id=${lister.id}&exclude_plugins=true`);
      expect(body).toEqual([alpha.record, beta.record, gamma.record]);
      for (const record of body) {
        expect(Object.keys(record).sort()).toEqual([...KEYS].sort());
        expect(record).toMatchObject({ token: '', remote_token: '' });
      }
    });

    it('orders equal display names by name', async () => {
      const other = await buildAdministrator(server);
      for (const name of ['t3', 't1', 't2']) await build({ name, display_name: 'twins' }, other.client);
      const { body } = await list(`creator_id=${other.id}`);
      expect(body.map((record: any) => record.name)).toEqual(['t1', 't2', 't3']);
    });

    it('shows the connections of all creators, or of one', async () => {
      const ids = (await list('per_page=200')).body.map((record: any) => record.remote_id);
      const own = await build();
      expect(ids).toContain(alpha.record.remote_id);
      expect((await list('per_page=200')).body).toContainEqual(own.record);
      expect(await mine()).toEqual(['alpha', 'beta', 'gamma', 'plugin']);
      expect((await list(`creator_id=${newId()}`)).body).toEqual([]);
    });

    it.each([
      ['include_deleted=true', ['alpha', 'beta', 'gamma', 'gone', 'plugin']],
      ['include_deleted=1', ['alpha', 'beta', 'gamma', 'gone', 'plugin']],
      ['include_deleted=false', ['alpha', 'beta', 'gamma', 'plugin']],
      ['include_deleted=yes', ['alpha', 'beta', 'gamma', 'plugin']],
      ['exclude_plugins=true', ['alpha', 'beta', 'gamma']],
      ['exclude_plugins=true&include_deleted=true', ['alpha', 'beta', 'gamma', 'gone']],
      ['only_plugins=T', ['plugin']],
      ['only_plugins=true&exclude_plugins=true', []],
      ['plugin_id=com.example.bridge', ['plugin']],
      ['plugin_id=com.example', []],
    ])('with %s returns %j', async (query, names) => {
      expect(await mine(query)).toEqual(names);
    });

    it('is paged', async () => {
      expect(await mine('page=1&per_page=1')).toEqual(['beta']);
      expect(await mine('page=0&pageSize=2')).toEqual(['alpha', 'beta']);
      expect(await mine('page=1&per_page=3')).toEqual(['plugin']);
      expect(await mine('page=9&per_page=3')).toEqual([]);
      expect(await mine('page=999999999999999')).toEqual([]);
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

  const newChannel = async (): Promise<string> => {
    const body = { team_id: team.id, type: 'O', name: `c${newId()}`, display_name: 'Shared' };
    return (await server.admin.post('/channels', body)).body.id as string;
  };

  /** The rows of a channel that is shared over one connection. */
  async function shareChannel(remoteId: string, channelId: string): Promise<SharedChannelRemote> {
    const times = { createAt: 1, updateAt: 1 };
    const none = { lastPostUpdateAt: 0, lastPostId: '', lastPostCreateAt: 0, lastPostCreateId: '' };
    const data = server.app.get(DataSource);
    await data.getRepository(SharedChannel).upsert(
      {
        channelId,
        teamId: team.id,
        home: true,
        readonly: false,
        name: 'shared',
        displayName: 'Shared',
        purpose: '',
        header: '',
        creatorId: server.adminId,
        remoteId: '',
        type: 'O',
        ...times,
      },
      ['channelId'],
    );
    const share = {
      id: newId(),
      channelId,
      remoteId,
      creatorId: server.adminId,
      deleteAt: 0,
      isFromPeer: false,
      isWithdrawn: false,
      isInviteAccepted: true,
      isInviteConfirmed: true,
      inviteError: '',
      ...times,
      ...none,
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

    it('patch ignores absent and null fields', async () => {
      const { record } = await build({ display_name: 'Office' });
      const one = await patch(record.remote_id, { display_name: 'Other', default_team_id: null });
      expect(one.body).toEqual({ ...record, display_name: 'Other' });
      const two = await patch(record.remote_id, { default_team_id: '' });
      expect(two.body).toEqual({ ...record, display_name: 'Other', default_team_id: '' });
      expect(await patch(record.remote_id, {})).toMatchObject({ status: 200, body: two.body });
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

    it('patch falls back to the name', async () => {
      const { record } = await build({ name: 'My.Srv', display_name: 'Office' });
      expect((await patch(record.remote_id, { display_name: '' })).body.display_name).toBe('my.srv');
    });

    it('patch changes nothing else', async () => {
      const { record } = await build();
      const theirs = {
        name: 'theirs',
        remote_id: newId(),
        site_url: 'https://theirs.example.com',
        token: newId(),
        remote_token: newId(),
        creator_id: member.id,
        topics: '*',
        delete_at: 1,
        last_ping_at: 1,
      };
      expect(await patch(record.remote_id, theirs)).toMatchObject({ status: 200, body: record });
    });

    it('patch refuses invalid values', async () => {
      const { record } = await build();
      for (const id of ['junk', 'x'.repeat(27)])
        expectError(await patch(record.remote_id, { default_team_id: id }), 400, ROW_ID, 'default_team_id');
      expectError(
        await patch(record.remote_id, { display_name: 'x'.repeat(65) }),
        400,
        undefined,
        'display_name',
      );
      expect((await get(record.remote_id)).body).toEqual(record);
    });

    it('patch validates the body before it looks up the record', async () => {
      expectError(await patch(newId(), { display_name: 'x' }), 404, NOT_FOUND);
      const { record } = await build();
      await remove(record.remote_id);
      expectError(await patch(record.remote_id, { display_name: 'x' }), 404, NOT_FOUND);
      expectError(
        await admin.patch(`${PATH}/${record.remote_id}`, undefined, { raw: '{' }),
        400,
        BODY,
        'remotecluster',
      );
    });

    it('delete works once', async () => {
      for (const record of [(await build()).record, (await buildAccepted()).record]) {
        const answer = await remove(record.remote_id);
        expect({ status: answer.status, text: answer.text }).toEqual({
          status: 200,
          text: '{"status":"OK"}',
        });
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

    it('delete also deletes the shares, and the last one unshares its channel', async () => {
      const [one, two] = [(await build()).record, (await build()).record];
      const [both, single] = [await newChannel(), await newChannel()];
      const shares = [
        await shareChannel(one.remote_id, both),
        await shareChannel(two.remote_id, both),
        await shareChannel(one.remote_id, single),
      ];
      const data = server.app.get(DataSource);
      const deleted = async (share: SharedChannelRemote): Promise<boolean> => {
        const row = await data.getRepository(SharedChannelRemote).findOneBy({ id: share.id });
        return row === null || (row.deleteAt > 0 && row.updateAt > 1);
      };
      const isShared = (channelId: string): Promise<boolean> =>
        data.getRepository(SharedChannel).existsBy({ channelId });
      await remove(one.remote_id);
      expect(await Promise.all(shares.map(deleted))).toEqual([true, false, true]);
      expect(await isShared(both)).toBe(true);
      expect(await isShared(shares[2]!.channelId)).toBe(false);
      await remove(two.remote_id);
      expect(await Promise.all(shares.map(deleted))).toEqual([true, true, true]);
      expect(await isShared(both)).toBe(false);
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

    it('writes version 2 when older peers must read it', async () => {
      const { record } = await build();
      const { body } = await server.withSettings({ legacyInvites: true }, () => generate(record.remote_id));
      expect(openInvite(body, PASSWORD)).toMatchObject({ kdf: 'scrypt', plaintext: { version: 2 } });
      secrets.invites.add(body);
    });

    it.each([{}, { password: '' }, { password: null }, { password: 12345678 }, { password: ['x'] }, null])(
      'requires a password: %p',
      async (body) => {
        const { record } = await build();
        expectError(await generate(record.remote_id, body), 400, BODY, 'password');
      },
    );

    it('checks password, site and record in this order', async () => {
      await server.withSettings(NO_SITE, async () => {
        expectError(await generate(newId(), {}), 400, BODY, 'password');
        expectError(await generate(newId()), 422, NO_SITE_ID);
        expectError(
          await generate((await rows().findOneByOrFail({ deleteAt: 0 })).remoteId),
          422,
          NO_SITE_ID,
        );
      });
      expectError(await generate(newId()), 404, NOT_FOUND);
    });

    it('is refused for confirmed and deleted ones', async () => {
      const { record } = await buildAccepted();
      expectError(
        await generate(record.remote_id),
        400,
        'api.remote_cluster.generate_invite_cluster_is_confirmed',
      );
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
      expect({ status: created.status, by: created.body.remote_cluster.creator_id }).toEqual({
        status: 201,
        by: member.id,
      });
      secrets.invites.add(created.body.invite);
      const accepted = await acceptAs(local, seal(invitation(inviter.origin)), { creator_id });
      expect({ status: accepted.status, by: accepted.body.creator_id }).toEqual({
        status: 201,
        by: member.id,
      });
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

    it('is switched off too', async () => {
      await server.withSettings(OFF, async () => expectError(await list('', local), 501, DISABLED));
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

    it('has none for reading', async () => {
      const { record } = await build();
      const before = await audits();
      await list('per_page=1');
      await get(record.remote_id);
      await get(newId());
      expect(await audits()).toEqual(before);
    });
  });

  describe('no secret', () => {
    it('is in a response, except the invite and the password for their requester', async () => {
      await patch((await buildAccepted()).record.remote_id, { display_name: 'Office' });
      await list('per_page=200&include_deleted=true');
      await admin.get('/audits?per_page=200');
      await server.anonymous.get('/metrics');
      expect(secrets.tokens.size).toBeGreaterThan(4);
      expect(suite.answeredSecrets()).toEqual([]);
    });

    it('can be read in the database', async () => {
      expect(await suite.storedSecrets()).toEqual([]);
    });
  });
});
