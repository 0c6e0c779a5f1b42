import { newId } from '../src/platform/common/ids.js';
import { buildTeam } from './factories/incoming-hooks.js';
import { buildAdministrator, invitation, INVITE_PASSWORD as PASSWORD } from './factories/remote-clusters.js';
import { json, Receiver } from './fakes/receiver.js';
import { type Answer } from './support/api-client.mjs';
import {
  PATH,
  CONFIRM,
  OUR_SITE,
  BODY,
  NO_SITE,
  NO_SITE_ID,
  NOT_FOUND,
  ROW_NAME,
  NOT_BASE64,
  NOT_OPENED,
  BAD_INVITE,
  NOT_ACCEPTED,
  ID,
  connectionsSuite,
  type Reply,
} from './support/connections-suite.js';
import { decodeWire, encodeWire, openText, sealBytes } from './support/invites.js';
import { expectError } from './support/expect-error.js';
import { startTestServer } from './support/test-server.js';

/** docs/contract/secure-connections.md#accept */
describe('accepting an invite', () => {
  const suite = connectionsSuite();
  const {
    rows,
    opened,
    build,
    get,
    list,
    remove,
    generate,
    accept,
    acceptAs,
    seal,
    confirmsOf,
    confirmBody,
    buildAccepted,
    expectNothingOf,
    onConfirm,
    secrets,
  } = suite;
  let { server, admin, inviter, team } = suite.state();

  beforeAll(async () => {
    await suite.start();
    ({ server, admin, inviter, team } = suite.state());
  });
  beforeEach(() => onConfirm());
  afterAll(() => suite.close());

  describe('accept', () => {
    it('returns the whole record, without its secrets', async () => {
      const plaintext = invitation(inviter.origin);
      const before = Date.now();
      const answer = await accept(seal(plaintext), { name: 'Berlin', display_name: 'Berlin office' });
      expect(answer.status).toBe(201);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.body).toEqual({
        remote_id: plaintext['remote_id'],
        remote_team_id: '',
        name: 'berlin',
        display_name: 'Berlin office',
        site_url: inviter.origin,
        default_team_id: team.id,
        create_at: expect.any(Number),
        delete_at: 0,
        last_ping_at: 0,
        last_global_user_sync_at: 0,
        token: '',
        remote_token: '',
        topics: '',
        creator_id: suite.acceptorId(),
        plugin_id: '',
        options: 0,
        standing: 'offline',
        standing_since: expect.any(Number),
        invite_expires_at: 0,
        last_heard_at: 0,
      });
      expect(answer.body.standing_since).toBeGreaterThanOrEqual(before);
      expect(answer.body.create_at).toBeGreaterThanOrEqual(before);
      expect((await get(plaintext['remote_id'])).body).toEqual(answer.body);
    });

    it('saves before it calls, and calls as the peer expects it', async () => {
      const plaintext = invitation(inviter.origin);
      const id = plaintext['remote_id'] as string;
      let saved: Answer | undefined;
      onConfirm(async (call, response) => {
        saved = await get(id);
        await json({ status: 'OK' })(call, response);
      });
      expect((await accept(seal(plaintext))).status).toBe(201);
      expect(saved).toMatchObject({ status: 200, body: { site_url: inviter.origin, delete_at: 0 } });
      const [call, ...more] = confirmsOf(id);
      expect(more).toEqual([]);
      expect(call).toMatchObject({
        method: 'POST',
        path: CONFIRM,
        headers: {
          'content-type': 'application/json',
          'x-remotecluster-id': id,
          'x-remotecluster-token': plaintext['token'],
        },
      });
      const frame = confirmBody(call);
      expect(frame).toEqual({
        remote_id: id,
        msg: {
          id: expect.stringMatching(ID),
          topic: 'invitation',
          create_at: expect.any(Number),
          payload: {
            remote_id: id,
            remote_team_id: '',
            site_url: OUR_SITE,
            token: expect.stringMatching(ID),
            refreshed_token: expect.stringMatching(ID),
            version: 3,
          },
        },
      });
      const { token, refreshed_token: refreshed } = frame.msg.payload;
      expect(new Set([token, refreshed, plaintext['token']]).size).toBe(3);
    });

    it('accepts version 2, and rotates its token as well', async () => {
      const plaintext = invitation(inviter.origin, { version: 2 });
      expect((await accept(seal(plaintext, 2))).status).toBe(201);
      const { payload } = confirmBody(confirmsOf(plaintext['remote_id'])[0]).msg;
      expect(payload.version).toBeGreaterThanOrEqual(2);
      expect(payload.refreshed_token).toMatch(ID);
      expect(payload.refreshed_token).not.toBe(plaintext['token']);
    });

    it('sends no new token to a server that cannot take one', async () => {
      const { version, ...plaintext } = invitation(inviter.origin);
      expect(version).toBe(3);
      expect((await accept(seal(plaintext, 2))).status).toBe(201);
      const { payload } = confirmBody(confirmsOf(plaintext['remote_id'])[0]).msg;
      expect(Object.keys(payload).sort()).toEqual(['remote_id', 'remote_team_id', 'site_url', 'token']);
    });

    it('reads any order of keys, and ignores unknown ones', async () => {
      const { version, token, ...rest } = invitation(`${inviter.origin}/chat`);
      const answer = await accept(seal({ unknown: { deep: [1] }, version, ...rest, token }));
      expect({ status: answer.status, site: answer.body.site_url }).toEqual({
        status: 201,
        site: `${inviter.origin}/chat`,
      });
      expect(confirmsOf(rest['remote_id'])[0]!.path).toBe(`/chat${CONFIRM}`);
    });

    it('reads an invite with line breaks', async () => {
      const invite = seal(invitation(inviter.origin));
      const lines = `${invite.replace(/.{64}/g, '$&\r\n')}\n`;
      expect((await accept(lines)).status).toBe(201);
    });

    it('shows the name as it was sent', async () => {
      const { record } = await buildAccepted({ name: 'Ber.Lin' });
      expect(record).toMatchObject({ name: 'ber.lin', display_name: 'Ber.Lin' });
    });

    it.each([undefined, '', null, 'junk', newId()])('requires an existing team: %p', async (id) => {
      expectError(await accept('malformedinvite', { default_team_id: id }), 400, BODY, 'default_team_id');
    });

    it.each([
      ['malformedinvite', 'an invalid length'],
      ['malformed+nvite/', 'the standard alphabet'],
      ['malformed nvit==', 'a blank'],
      ['====', 'padding only'],
      ['mal=ormedinvites', 'padding inside'],
    ])('refuses %p: %s', async (invite) => {
      expectError(await accept(invite), 400, NOT_BASE64);
    });

    it('refuses invites without their padding, or in the standard alphabet', async () => {
      const plaintext = invitation(inviter.origin, { remote_team_id: '' });
      let invite = seal(plaintext);
      // The first 24 bytes are random: some attempt has a character in which the alphabets differ.
      while (!invite.includes('-') && !invite.includes('_')) invite = seal(plaintext);
      const standard = invite.replaceAll('-', '+').replaceAll('_', '/');
      expectError(await accept(standard), 400, NOT_BASE64);
      const padded = [invite, seal({ ...plaintext, a: 1 }), seal({ ...plaintext, ab: 1 })].find((wire) =>
        wire.endsWith('='),
      )!;
      expectError(await accept(padded.replace(/=+$/, '')), 400, NOT_BASE64);
      await expectNothingOf(plaintext['remote_id']);
    });

    it('refuses another password, and calls nothing', async () => {
      const plaintext = invitation(inviter.origin);
      const invite = seal(plaintext);
      for (const password of ['told over the telephonf', `${PASSWORD} `, '', undefined])
        expectError(await accept(invite, { password }), 400, NOT_OPENED);
      await expectNothingOf(plaintext['remote_id']);
      expect(confirmsOf(plaintext['remote_id'])).toEqual([]);
    });

    it.each([0, 16, 28, -1])('refuses an invite whose byte %i is changed', async (at) => {
      const bytes = decodeWire(seal(invitation(inviter.origin)));
      const index = at < 0 ? bytes.length + at : at;
      bytes[index] = bytes[index]! ^ 1;
      expectError(await accept(encodeWire(bytes)), 400, NOT_OPENED);
    });

    it.each([0, 1, 17, 20, 27, 28, 40, 44])('refuses %i bytes', async (length) => {
      const bytes = decodeWire(shortInvite);
      expectError(await accept(encodeWire(bytes.subarray(0, length))), 400, NOT_OPENED);
    });
    const shortInvite = sealBytes(Buffer.from('{}'), PASSWORD, 3);

    it('does not decrypt what is too long for an invite', async () => {
      const answer = await accept(encodeWire(Buffer.alloc(9_000, 7)));
      expect(answer.status).toBe(400);
      expect([NOT_BASE64, NOT_OPENED]).toContain(answer.body.id);
    });

    it('requires a string as invite', async () => {
      for (const invite of [7, {}, ['x'], true]) expectError(await accept(invite), 400, BODY, 'invite');
      expectError(await accept(shortInvite, { password: 7 }), 400, BODY, 'password');
      for (const invite of [undefined, null, '']) expect((await accept(invite)).status).toBe(400);
    });

    it.each(['not JSON', '[]', '"text"', 'null', '7', '{"remote_id":"x"', '\ufeff'])(
      'refuses an invite that contains %p',
      async (text) => {
        const invite = sealBytes(Buffer.from(text), PASSWORD, 3);
        expectError(await accept(invite), 400, NOT_OPENED);
      },
    );

    it.each(['x', '{}', ' 1', '\u0000', ','])('refuses an invite followed by %j', async (junk) => {
      const plaintext = invitation(inviter.origin);
      const bytes = Buffer.from(`${JSON.stringify(plaintext)}${junk}`);
      expectError(await accept(sealBytes(bytes, PASSWORD, 3)), 400, NOT_OPENED);
      await expectNothingOf(plaintext['remote_id']);
    });

    it('accepts a URL scheme in capitals, and calls it', async () => {
      const plaintext = invitation(inviter.origin.replace('http:', 'HTTP:'));
      const answer = await accept(seal(plaintext));
      expect([answer.status, answer.body.site_url]).toEqual([201, inviter.origin]);
      expect(confirmsOf(plaintext['remote_id'])).toHaveLength(1);
    });

    it.each([
      ['site_url', 'http://a..b'],
      ['site_url', 'http://-'],
      ['site_url', 'http://*.x'],
      ['site_url', 'file:///x'],
      ['site_url', 'javascript:alert(1)'],
      ['site_url', 'ftp://127.0.0.1/'],
      ['site_url', ':/localhost'],
      ['site_url', '//127.0.0.1/'],
      ['site_url', 'http://'],
      ['site_url', 'http://user:pass@127.0.0.1/'],
      ['site_url', 'http://user@127.0.0.1/'],
      ['site_url', 'http://127.0.0.1/#x'],
      ['site_url', `http://127.0.0.1/${'x'.repeat(512)}`],
      ['site_url', 'pending_x'],
      ['site_url', ''],
      ['site_url', undefined],
      ['site_url', 7],
      ['remote_id', 'short'],
      ['remote_id', '日'.repeat(26)],
      ['remote_id', `${'x'.repeat(25)}\n`],
      ['remote_id', ''],
      ['remote_id', 7],
      ['token', ''],
      ['token', undefined],
      ['token', 'x'.repeat(51)],
      ['token', 7],
      ['token', '日本'],
      ['token', 'x\r\nX-RemoteCluster-Id: y'],
      ['version', 'three'],
    ])('refuses an invite whose %s is %p, and calls nothing', async (field, value) => {
      const plaintext = invitation(inviter.origin, { [field]: value });
      const before = inviter.calls.filter((call) => call.path.endsWith('/confirm_invite')).length;
      expectError(await accept(seal(plaintext)), 400, BAD_INVITE);
      expect(await rows().countBy({ remoteId: String(plaintext['remote_id']) })).toBe(0);
      expect(inviter.calls.filter((call) => call.path.endsWith('/confirm_invite'))).toHaveLength(before);
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

    it('refuses its own invite', async () => {
      const { record, invite } = await build();
      expectError(await accept(invite), 400, NOT_ACCEPTED);
      expect((await get(record.remote_id)).body).toEqual(record);
      for (const site of [OUR_SITE, `${OUR_SITE}/`, OUR_SITE.replace('hookline', 'HookLine')]) {
        const plaintext = invitation(site);
        expectError(await accept(seal(plaintext)), 400, NOT_ACCEPTED);
        await expectNothingOf(plaintext['remote_id']);
      }
      expect(opened((await generate(record.remote_id)).body)['remote_id']).toBe(record.remote_id);
    });

    it('refuses an invite the second time, and keeps the working connection', async () => {
      const { record, invite, plaintext } = await buildAccepted();
      expectError(await accept(invite), 400, NOT_ACCEPTED);
      expectError(await accept(invite, { name: 'other' }), 400, NOT_ACCEPTED);
      onConfirm(json({ id: 'gone' }, 401));
      expectError(await accept(seal({ ...plaintext, token: newId() })), 400, NOT_ACCEPTED);
      expect((await get(record.remote_id)).body).toEqual(record);
      expect(confirmsOf(record.remote_id)).toHaveLength(1);
    });

    it('accepts the same invite in parallel once', async () => {
      const plaintext = invitation(inviter.origin);
      const invite = seal(plaintext);
      const statuses = await Promise.all([1, 2, 3].map(async () => (await accept(invite)).status));
      expect(statuses.sort()).toEqual([201, 400, 400]);
      expect(await rows().countBy({ remoteId: plaintext['remote_id'] })).toBe(1);
      expect(confirmsOf(plaintext['remote_id'])).toHaveLength(1);
    });

    it('ends without a connection when it is deleted in the meantime', async () => {
      const plaintext = invitation(inviter.origin);
      const id = plaintext['remote_id'] as string;
      onConfirm(async (call, response) => {
        await remove(id);
        await json({ status: 'OK' })(call, response);
      });
      expectError(await accept(seal(plaintext)), 500, NOT_ACCEPTED);
      expect(await rows().countBy({ remoteId: id, deleteAt: 0 })).toBe(0);
    });

    it('accepts it again after its connection was deleted', async () => {
      const { record, invite } = await buildAccepted();
      await remove(record.remote_id);
      expect(await accept(invite)).toMatchObject({ status: 201, body: { delete_at: 0 } });
      expect((await get(record.remote_id)).body.delete_at).toBe(0);
    });
  });

  describe('a failing inviter', () => {
    let elsewhere: Receiver;
    let plaintext: Record<string, any>;
    let invite: string;

    beforeAll(async () => {
      elsewhere = await Receiver.start(json({ status: 'OK' }));
      plaintext = invitation(inviter.origin);
      invite = seal(plaintext);
    });
    afterAll(() => elsewhere?.close());

    const text =
      (body: string, type = 'application/json'): Reply =>
      (_, response) =>
        void response.writeHead(200, { 'content-type': type }).end(body);
    const answered: readonly [string, Reply][] = [
      ['says 500', json({ status: 'OK' }, 500)],
      ['says 401', json({ id: 'api.context.invalid_token.error' }, 401)],
      ['says 400', json({ id: 'api.context.invitation_expired.error' }, 400)],
      ['says 201 and OK', json({ status: 'OK' }, 201)],
      ['says 204', (_, response) => void response.writeHead(204).end()],
      ['says nothing', text('')],
      ['says {}', json({})],
      ['says FAIL', json({ status: 'FAIL', err: 'no' })],
      ['says OK in a list', json([{ status: 'OK' }])],
      ['says null', json(null)],
      ['sends HTML', text('<html>OK</html>', 'text/html')],
      ['sends half of its JSON', text('{"status":"OK"')],
      [
        'redirects',
        (_, response) => void response.writeHead(307, { location: elsewhere.url(CONFIRM) }).end(),
      ],
      ['sends megabytes', text(`{"status":"OK","x":"${'x'.repeat(2_000_000)}"}`)],
      ['hangs up', (_, response) => void response.destroy()],
    ];

    it.each(answered)('and %s leaves nothing behind', async (_, reply) => {
      onConfirm(reply);
      const before = confirmsOf(plaintext['remote_id']).length;
      expectError(await accept(invite), 500, NOT_ACCEPTED);
      expect(confirmsOf(plaintext['remote_id'])).toHaveLength(before + 1);
      await expectNothingOf(plaintext['remote_id']);
    });

    it.each([
      [401, { id: 'api.context.invalid_token.error' }, 'ask for a new one'],
      [400, { id: 'api.context.invitation_expired.error' }, 'ask for a new one'],
      [400, { id: 'api.command_remote.confirm_invitation.error' }, 'ask for a new one'],
      [500, { id: 'api.command_remote.confirm_invitation.error' }, 'it can be tried again'],
      [400, { id: 'api.context.invalid_body_param.app_error' }, 'it can be tried again'],
      [400, { id: ['api.context.invitation_expired.error'] }, 'it can be tried again'],
      [401, { id: 'api.context.session_expired.app_error' }, 'it can be tried again'],
      [401, {}, 'it can be tried again'],
      [403, '<html>Denied</html>', 'it can be tried again'],
      [404, { id: 'api.context.404.app_error' }, 'it can be tried again'],
      [503, null, 'it can be tried again'],
    ])('that responds %d with %j is reported, and %s', async (status, said, advice) => {
      onConfirm(json(said, status));
      const { body } = await accept(invite);
      expect(body.message).toContain(`The peer responded with ${status}.`);
      expect(body.message).toContain(advice);
    });

    it('is never replaced by another server', () => {
      expect(elsewhere.calls).toEqual([]);
    });

    it('can be called again with the same invite and name', async () => {
      onConfirm(json({}, 500));
      expectError(await accept(invite), 500, NOT_ACCEPTED);
      onConfirm();
      expect((await accept(invite)).status).toBe(201);
      for (const call of confirmsOf(plaintext['remote_id'])) confirmBody(call);
    });

    it.each([
      ['does not listen', 'http://127.0.0.1:9'],
      ['cannot be resolved', 'http://nowhere.example.com'],
      ['is internal', 'http://10.255.0.1:8065'],
      ['is internal in another notation', 'http://[::ffff:10.255.0.1]:8065'],
      ['is the metadata service', 'http://169.254.169.254'],
    ])('because it %s leaves nothing behind', async (_, site) => {
      const unreachable = invitation(site);
      const answer = await accept(seal(unreachable));
      expectError(answer, 500, NOT_ACCEPTED);
      await expectNothingOf(unreachable['remote_id']);
    });

    it('is not called on loopback unless that is allowed', async () => {
      const strict = await startTestServer({ SITE_URL: OUR_SITE });
      try {
        const home = await buildTeam(strict.admin);
        const guarded = invitation(elsewhere.origin);
        const answer = await acceptAs(strict.admin, seal(guarded), { default_team_id: home.id });
        expectError(answer, 500, NOT_ACCEPTED);
        expectError(await strict.admin.get(`${PATH}/${guarded['remote_id']}`), 404, NOT_FOUND);
        expect((await strict.admin.get(`${PATH}?include_deleted=true`)).text).toBe('[]');
        expect(elsewhere.calls).toEqual([]);
      } finally {
        await strict.close();
      }
    });
  });

  describe('the vectors of 3.4', () => {
    const site = '"site_url":"https://a.example.com"';
    const plain = (version: string): string =>
      `{"remote_id":"rcaaaaaaaaaaaaaaaaaaaaaaa1","remote_team_id":"",${site},"token":"tkaaaaaaaaaaaaaaaaaaaaaaa1"${version}}`;
    const ascending = { salt: '000102030405060708090a0b0c0d0e0f', nonce: '101112131415161718191a1b' };
    const high = { salt: 'f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff', nonce: 'e0e1e2e3e4e5e6e7e8e9eaeb' };

    it.each([
      [
        'A',
        'correct horse battery',
        plain(',"version":3'),
        3 as const,
        ascending,
        'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGzulLu-IiRayfoCCgoIZx35OWlqJYZ87mMFIMidLIoqjG6gXU_3_BekiRy93SW11qWsNVhiLZBXJYZOkmsDa_MQHnRFFyqBshUGE_W-eUHaBd6ZL4TYfMOqdUSHCiE_agHau3sSTgo0fTgyX-7QrYCq6CSlxJCIcLNOhgFmIi6Gf19cDFVPSxXSce0rrsVqHRq9MqM6mM_y9kIdGNMkgPPzc8Q==',
      ],
      [
        'B',
        'correct horse battery',
        plain(',"version":2'),
        2 as const,
        ascending,
        'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGwsiSheB45xWkLqoDKyO1eMtA8--dm5dRSsB0vl_x8RyjFErcVnjjA2p0UnDOeK7rJTmP_pyT6RXD1NvZ-n-1v1r8j30rUYZEtzyTZQjqKnDCKWRf5gjyrB7WQ0S-iG_BCI7ZMnGes--Y4h0hFv0_4_xXOFFbkujLA-Q6Zf7jl9kWJbGTLBC1FQ1pT7lLwCcN3ueVy9zfXixtpyCUFRWiv5YMg==',
      ],
      [
        'C',
        'pässwörd-日本-16ch',
        plain(',"version":3'),
        3 as const,
        high,
        '8PHy8_T19vf4-fr7_P3-_-Dh4uPk5ebn6Onq60eDslRnyaUs_8oVbO9tpqOW0g08bI6AJmUa1UAUhvNTIzeQNSKqZvpqc6aqmQ5YGUPvZgsJ84kaXcE6GYBXkX_6TJlUTM7fwsPO6b0dV3G46SvCEuDmsObwpJx6Yx5rPV63M8xoFvUx_1Sfesg9Udx5AdrCczyRtuE0WJQ5Rhcm9Nlza7A7t-BsqGrVyQLl_x1n-7XgOfVgB6ZNRP4X3P1g5A==',
      ],
      [
        'D',
        '',
        plain(''),
        2 as const,
        high,
        '8PHy8_T19vf4-fr7_P3-_-Dh4uPk5ebn6Onq64SeOgyV8Cgg653RLNLH-5MZ-NwGTv-qGv0EsGVeU1C91zhvMsNNSmrF5F2HmcPQWWfHTOKmf8e85sviDZT4dWTo4HEEjLDgTGmdOrmUYiztuVyIHYpoagRyrp1UbKoAZqWZHc3YR0horPxBBCH3Q_ooskImSAt2gr6rpnPzLdwNJoNgNCoYt7IOc-V1u3T5ACDdVYlQkg==',
      ],
    ])('%s opens, here and in the tests', async (_, password, plaintext, version, fixed, wire) => {
      const bytes = { salt: Buffer.from(fixed.salt, 'hex'), nonce: Buffer.from(fixed.nonce, 'hex') };
      expect(openText(wire, password)).toEqual({
        text: plaintext,
        kdf: version === 3 ? 'pbkdf2' : 'scrypt',
      });
      expect(sealBytes(Buffer.from(plaintext), password, version, bytes)).toBe(wire);
      // It decrypts, so the name is checked; the server of the vectors is never called.
      expectError(await accept(wire, { password, name: '' }), 400, ROW_NAME);
      expectError(await accept(wire, { password: `${password}x`, name: '' }), 400, NOT_OPENED);
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
      await buildAccepted();
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
