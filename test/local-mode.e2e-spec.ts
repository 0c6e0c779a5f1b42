import { existsSync, linkSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../src/platform/common/ids.js';
import { listenOnSocketFile, LocalSocketRefused } from '../src/platform/local-mode/socket-file.js';
import {
  buildChannel,
  buildIncomingHook,
  buildMember,
  buildTeam,
  type BuiltTeam,
  type BuiltUser,
} from './factories/incoming-hooks.js';
import { type Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { startTestServer, type TestServer } from './support/test-server.js';

/** docs/contract/conventions.md#local-mode */
describe('local mode', () => {
  let folder: string;
  let socket: string;
  let server: TestServer;
  let local: ApiClient;
  let team: BuiltTeam;
  let owner: BuiltUser;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hookline-local-'));
    socket = join(folder, 'local.sock');
    server = await startTestServer({ LOCAL_MODE_SOCKET: socket });
    local = new ApiClient('http://localhost', '', socket);
    team = await buildTeam(server.admin);
    owner = await buildMember(server, [team.id]);
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const create = (fields: Record<string, unknown>): Promise<Answer> =>
    local.post('/api/v4/hooks/incoming', { channel_id: team.channelId, display_name: 'Local', ...fields });
  const list = (query: string): Promise<Answer> => local.get(`/api/v4/hooks/incoming?${query}`);
  it('opens a socket that only its owner can use', () => {
    expect(statSync(socket).isSocket()).toBe(true);
    expect((statSync(socket).mode & 0o777).toString(8)).toBe('600');
  });

  it('redirects paths with empty segments', async () => {
    const { status, headers } = await local.get('/api//v4/users');
    expect([status, headers['location']]).toEqual([301, '/api/v4/users']);
  });

  it('creates for the named user', async () => {
    const { status, body } = await create({ user_id: owner.id });
    expect({ status, owner: body.user_id, locked: body.channel_locked }).toEqual({
      status: 201,
      owner: owner.id,
      locked: false,
    });
    expectError(await create({ user_id: newId() }), 404, 'app.user.missing_account.const');
    for (const userId of [undefined, '', null]) {
      expectError(
        await create({ user_id: userId }),
        400,
        'api.context.invalid_body_param.app_error',
        'user_id',
      );
    }
  });

  it('checks user_id, then the channel, then the user, then the switch', async () => {
    expectError(await create({ channel_id: 'junk' }), 400, undefined, 'user_id');
    expectError(
      await create({ channel_id: 'junk', user_id: 'junk' }),
      404,
      'app.channel.get.existing.app_error',
    );
    await server.withSettings({ enableIncomingWebhooks: false }, async () => {
      expectError(await create({ user_id: newId() }), 404, 'app.user.missing_account.const');
      expectError(await create({ user_id: owner.id }), 501, 'api.incoming_webhook.disabled.app_error');
    });
  });

  it('accepts private channels, and refuses direct ones by the rules of the record', async () => {
    const privateId = await buildChannel(server.admin, team.id, 'P');
    expect((await create({ channel_id: privateId, user_id: owner.id })).status).toBe(201);
    const direct = await server.admin.post('/channels/direct', [server.adminId, owner.id]);
    const answer = await create({ channel_id: direct.body.id, user_id: owner.id });
    expectError(answer, 400, 'model.incoming_hook.team_id.app_error', 'team_id');
  });

  it('lists the hooks of all users', async () => {
    const place = await buildTeam(server.admin);
    const hooks = [
      await buildIncomingHook(server.admin, place.channelId),
      await buildIncomingHook(server.admin, place.channelId, { user_id: owner.id }),
    ];
    expect((await list(`team_id=${place.id}`)).body).toEqual(hooks);
    expect((await list('per_page=200')).body).toEqual(expect.arrayContaining(hooks));
    expect((await list(`team_id=${newId()}`)).body).toEqual([]);
    const counted = await list(`team_id=${place.id}&include_total_count=true`);
    expect(counted.body).toEqual({ incoming_webhooks: hooks, total_count: 2 });
  });

  it('gets, changes and deletes like any permitted user', async () => {
    const hook = await buildIncomingHook(server.admin, team.channelId);
    expect((await local.get(`/api/v4/hooks/incoming/${hook.id}`)).body).toEqual(hook);
    const change = { ...hook, display_name: 'Changed' };
    expect((await local.put(`/api/v4/hooks/incoming/${hook.id}`, change)).body).toMatchObject({
      display_name: 'Changed',
      user_id: server.adminId,
      channel_locked: false,
    });
    const direct = { text: 'From the system', channel: '@admin' };
    const { body: made } = await create({ user_id: owner.id }); // by the system, so it posts with the rights of its owner
    for (const { id } of [hook, made])
      expect((await server.anonymous.post(`/hooks/${id}`, direct)).status).toBe(200);
    expect((await local.delete(`/api/v4/hooks/incoming/${hook.id}`)).body).toEqual({ status: 'OK' });
    expectError(
      await local.get(`/api/v4/hooks/incoming/${hook.id}`),
      404,
      'app.webhooks.get_incoming.app_error',
    );
  });

  it('serves the API only', async () => {
    const hook = await buildIncomingHook(server.admin, team.channelId);
    for (const path of [
      `/hooks/${hook.id}`,
      '/health/live',
      '/metrics',
      '/api/docs',
      '/api/v4',
      '/api/v4/nothing',
    ]) {
      expect({ path, status: (await local.get(path)).status }).toEqual({ path, status: 404 });
      expect({ path, status: (await local.post(path, { text: 'x' })).status }).toEqual({ path, status: 404 });
    }
    expect((await local.get('/system/ping')).status).toBe(200);
    expect((await server.anonymous.get('/health/live')).status).toBe(200);
  });

  it('has no user', async () => {
    expectError(await local.get('/users/me'), 401);
    expect((await local.as(server.admin.token).get('/users/me')).status).toBe(401);
  });

  it('is not reachable over the network', async () => {
    expectError(await server.anonymous.get('/api/v4/hooks/incoming'), 401);
    const headers = { 'x-forwarded-for': 'local', host: 'localhost' };
    expectError(await server.anonymous.get('/api/v4/hooks/incoming', { headers }), 401);
  });

  it('audits without a user', async () => {
    await create({ user_id: owner.id });
    const [row] = (await server.admin.get('/audits?per_page=1')).body;
    expect(row).toMatchObject({
      action: 'create_incoming_webhook',
      user_id: '',
      result: 'success',
      ip_address: 'local',
    });
  });

  describe('the socket file', () => {
    const listener = () => createServer((connection) => connection.destroy());
    const refusal = async (path: string): Promise<string> => {
      const error = await listenOnSocketFile(listener(), path).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(LocalSocketRefused);
      return (error as Error).message;
    };

    it('replaces one that a killed process left', async () => {
      const path = join(folder, 'stale.sock');
      const gone = listener();
      await listenOnSocketFile(gone, path);
      // What a kill leaves: the file without its listener.
      const kept = join(folder, 'kept.sock');
      linkSync(path, kept);
      await new Promise((resolve) => gone.close(resolve));
      expect(existsSync(path)).toBe(false);
      const next = listener();
      await listenOnSocketFile(next, kept);
      expect((statSync(kept).mode & 0o777).toString(8)).toBe('600');
      await new Promise((resolve) => next.close(resolve));
      expect(existsSync(kept)).toBe(false);
    });

    it('is left alone when it has a listener, or when it is not a socket', async () => {
      expect(await refusal(socket)).toContain('another process listens on it');
      expect((await local.get('/system/ping')).status).toBe(200);
      const file = join(folder, 'notes.txt');
      writeFileSync(file, 'keep me');
      expect(await refusal(file)).toContain('is not a socket');
      expect(existsSync(file)).toBe(true);
    });

    it('has a path within the system limit, in an existing folder', async () => {
      expect(await refusal(join(folder, 'x'.repeat(120)))).toMatch(/^LOCAL_MODE_SOCKET names .* longer than/);
      expect(await refusal(join(folder, 'no', 'such', 'folder.sock'))).toContain('its folder does not exist');
    });
  });

  it('is removed when the server stops', async () => {
    const path = join(folder, 'short-lived.sock');
    const brief = await startTestServer({ LOCAL_MODE_SOCKET: path, BOOTSTRAP: 'none' });
    const client = new ApiClient('http://localhost', '', path);
    expect((await client.get('/system/ping')).status).toBe(200);
    await brief.close();
    expect(existsSync(path)).toBe(false);
  });
});
