import { DataSource } from 'typeorm';
import { Purge } from '../src/platform/database/purge.js';
import { Audit } from '../src/platform/audit/audit.entity.js';
import { newId } from '../src/platform/common/ids.js';
import { buildMember, buildTeam } from './factories/incoming-hooks.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const DAY_MS = 86_400_000;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const rows = (): Promise<Audit[]> => server.app.get(DataSource).getRepository(Audit).find();

/** What `action` adds to the log. */
async function added(action: () => Promise<unknown>): Promise<Audit[]> {
  const before = new Set((await rows()).map(({ id }) => id));
  await action();
  return (await rows()).filter(({ id }) => !before.has(id));
}

describe('a refusal', () => {
  it('leaves no row for callers whom nobody knows, whatever they try', async () => {
    const unknown = server.anonymous.as(newId());
    const peer = { headers: { 'X-RemoteCluster-Id': newId(), 'X-RemoteCluster-Token': newId() } };
    const fresh = await added(async () => {
      const refused = [
        await server.anonymous.delete(`/hooks/incoming/${newId()}`),
        await unknown.delete(`/hooks/incoming/${newId()}`),
        await server.anonymous.put('/users/junk/roles', { roles: 'system_admin' }),
        await server.anonymous.post('/users', { email: 'a@example.com', username: 'a', password: 'x' }),
        await server.anonymous.post(`/users?iid=${newId()}`, {}),
        await server.anonymous.send('POST', '/remotecluster/msg', {}, peer),
        await server.anonymous.send('POST', '/remotecluster/confirm_invite', {}, peer),
      ];
      expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 403, 404, 401, 401]);
    });
    expect(fresh).toEqual([]);
  });

  it('leaves one for callers who are signed in', async () => {
    const member = await buildMember(server);
    const fresh = await added(() => member.client.delete(`/hooks/incoming/${newId()}`));
    expect(fresh).toEqual([
      expect.objectContaining({
        action: 'delete_incoming_webhook',
        userId: member.id,
        result: 'fail',
        status: 404,
      }),
    ]);
  });
});

it('has a row for each account that strangers made', async () => {
  const team = await buildTeam(server.admin);
  const { invite_id: inviteId } = (await server.admin.get(`/teams/${team.id}`)).body;
  const name = `stranger.${newId().slice(0, 8)}`;
  const fresh = await added(async () => {
    const body = { email: `${name}@example.com`, username: name, password: 'long enough words' };
    expect((await server.anonymous.post(`/users?iid=${inviteId}`, body)).status).toBe(201);
  });
  expect(fresh).toEqual([expect.objectContaining({ action: 'create_user', userId: '', result: 'success' })]);
});

describe('the retention', () => {
  const purge = (): Promise<void> => server.app.get(Purge).run();

  async function insertOld(count: number, ageMs: number): Promise<void> {
    const { manager } = server.app.get(DataSource);
    const old = Array.from({ length: count }, () => ({
      id: newId(),
      createAt: Date.now() - ageMs,
      userId: '',
      action: 'old',
      target: '',
      result: 'fail',
      status: 401,
      errorId: '',
      requestId: newId(),
      address: '',
      parameters: '',
    }));
    for (let from = 0; from < count; from += 200)
      await manager.getRepository(Audit).insert(old.slice(from, from + 200));
  }
  const countOld = async (): Promise<number> =>
    (await rows()).filter(({ action }) => action === 'old').length;

  it('deletes what is older, over several batches, and nothing else', async () => {
    await insertOld(1_200, 366 * DAY_MS);
    await insertOld(3, 364 * DAY_MS);
    const others = (await rows()).length - 1_203;
    await purge();
    expect(await countOld()).toBe(3);
    expect((await rows()).length - 3).toBe(others);
  });

  it('keeps for ever when it is 0', async () => {
    await insertOld(2, 5_000 * DAY_MS);
    const before = await countOld();
    await server.withSettings({ auditRetentionMs: 0 }, () => purge());
    expect(await countOld()).toBe(before);
    await server.withSettings({ auditRetentionMs: DAY_MS }, () => purge());
    expect(await countOld()).toBe(0);
  });
});
