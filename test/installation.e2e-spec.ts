import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { DataSource } from 'typeorm';
import { IncomingHookChangesService } from '../src/incoming-hooks/incoming-hook-changes.service.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const [KEY, OTHER_KEY] = ['the key of this database', 'the key of another database'];

describe('a database that was connected before', () => {
  let database: TestDatabase;
  let server: TestServer | undefined;

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await stop();
    await database.drop();
  });

  const start = async (env: Record<string, string> = {}): Promise<TestServer> =>
    (server = await startTestServer(env, database));
  const stop = async (): Promise<void> => {
    await server?.close();
    server = undefined;
  };
  const file = (name: string): string => join(database.dataDir, name);
  const sql = (statement: string, parameters: unknown[] = []): Promise<unknown> =>
    server!.app.get(DataSource).query(statement, parameters);

  /** As after losing its files, or installing another server in its place. */
  async function loseDatabase(): Promise<void> {
    if (!database.databaseUrl) {
      for (const name of readdirSync(database.dataDir))
        if (name.startsWith('hookline.db')) rmSync(file(name));
      return;
    }
    const name = new URL(database.databaseUrl).pathname.slice(1);
    const connection = await createConnection({ uri: database.databaseUrl });
    await connection.query(`DROP DATABASE ${name}`);
    await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
    await connection.end();
  }

  describe('its key', () => {
    it('is the only one with which the server starts', async () => {
      await start({ SECRET_KEY: KEY });
      await stop();
      await expect(start({ SECRET_KEY: OTHER_KEY })).rejects.toThrow(
        /^The database was encrypted with the key \w{8}, but SECRET_KEY is the key \w{8}\. Restore that key; .*rotate-key/,
      );
      await expect(start()).resolves.toBeDefined(); // nothing is encrypted yet, so a key may be created
      expect(existsSync(file('secret.key'))).toBe(true);
      await stop();
      await expect(start({ SECRET_KEY: KEY })).resolves.toBeDefined(); // with the one in the file to decrypt older rows
    });

    it('is never generated if something is encrypted', async () => {
      const { admin } = await start();
      await buildOutgoingHook(admin, await teamOf(server!));
      await stop();
      renameSync(file('secret.key'), file('kept'));
      await expect(start()).rejects.toThrow(
        /^The database was encrypted with the key \w{8}, but SECRET_KEY is not set and there is no .*secret\.key\. /,
      );
      expect(existsSync(file('secret.key'))).toBe(false);
      renameSync(file('kept'), file('secret.key'));
      expect((await (await start()).admin.get('/hooks/outgoing')).body).toMatchObject([
        { secrets_unreadable: false },
      ]);
    });
  });

  it('reports a secret that is not of its row, and returns all others', async () => {
    const { admin } = await start();
    const team = await teamOf(server!);
    const lost = await buildOutgoingHook(admin, team);
    const kept = await buildOutgoingHook(admin, team, { trigger_words: ['build'] });
    const [{ sealed }] = (await sql('SELECT sealed_token AS sealed FROM outgoing_webhooks WHERE id = ?', [
      kept.id,
    ])) as [{ sealed: string }];
    await sql('UPDATE outgoing_webhooks SET sealed_token = ? WHERE id = ?', [sealed, lost.id]);
    const listed = async (): Promise<unknown[]> =>
      ((await admin.get('/hooks/outgoing')).body as any[]).map((hook) => [
        hook.id,
        hook.token !== '',
        hook.secrets_unreadable,
      ]);
    expect(await listed()).toEqual([
      [lost.id, false, true],
      [kept.id, true, false],
    ]);
    expect((await admin.post(`/hooks/outgoing/${lost.id}/regen_token`)).status).toBe(200);
    expect(await listed()).toEqual([
      [lost.id, true, false],
      [kept.id, true, false],
    ]);
    const peer = { name: 'branch', default_team_id: team, password: 'p' };
    const { remote_cluster: cluster } = (await admin.post('/remotecluster', peer)).body;
    await sql('UPDATE remote_clusters SET sealed_token = ?', ['v2.00000000.AAAA']);
    const invite = await admin.post(`/remotecluster/${cluster.remote_id}/generate_invite`, { password: 'p' });
    expect(invite).toMatchObject({
      status: 400,
      body: { id: 'api.remote_cluster.generate_invite_unreadable.app_error' },
    });
  });

  describe('when it is empty later', () => {
    it('is not initialised again without permission', async () => {
      await start();
      await stop();
      await loseDatabase();
      const settings: Record<string, string>[] = [{}, { BOOTSTRAP: 'none' }];
      for (const env of settings)
        await expect(start(env)).rejects.toThrow(
          /databases\.json records that the database .* was in use before, but it is empty now\. .* BOOTSTRAP=force/,
        );
      await start({ BOOTSTRAP: 'force' });
      expect((await server!.admin.get('/hooks/incoming')).body).toHaveLength(1);
      await stop();
      await expect(start()).resolves.toBeDefined();
    });

    it('is filled if its first start was interrupted', async () => {
      jest
        .spyOn(IncomingHookChangesService.prototype, 'add')
        .mockRejectedValueOnce(new Error('The power failed.'));
      await expect(start()).rejects.toThrow('The power failed.');
      await loseDatabase();
      await expect(start()).resolves.toBeDefined();
    });

    it('is filled if it is another one', async () => {
      await start();
      await stop();
      const other = await createTestDatabase();
      if (isMysql) other.env['DATA_DIR'] = database.dataDir;
      server = await startTestServer({}, other);
      expect((await server.admin.get('/hooks/incoming')).body).toHaveLength(1);
      await stop();
      await other.drop();
    });
  });
});

async function teamOf({ admin }: TestServer): Promise<string> {
  return (await admin.get('/teams/name/main')).body.id as string;
}
