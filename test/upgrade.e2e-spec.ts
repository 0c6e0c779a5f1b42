import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppModule } from '../src/app.module.js';
import { BUILT_IN_ROLES } from '../src/platform/access/built-in-roles.js';
import { definePermissions } from '../src/platform/access/permission.js';
import { newId } from '../src/platform/common/ids.js';
import { Settings } from '../src/platform/config/settings.js';
import { secretHash } from '../src/platform/audit/audit.service.js';
import { dataSourceOptions } from '../src/platform/database/data-source.options.js';
import { collectDeclared } from '../src/platform/modules/collect.js';
import { Declares } from '../src/platform/modules/declares.js';
import { buildIncomingHook, buildMember, buildTeam } from './factories/incoming-hooks.js';
import { ShareDeliveryPayloads1795339607924 } from '../src/outgoing-hooks/migrations/1795339607924-share-delivery-payloads.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import { addToApp } from './support/app-modules.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

/** What the version before the table of granted permissions had run. */
const MIGRATIONS_BEFORE = /170000000000[0-3]$/;

const LaterPermission = definePermissions({ WaterPlants: ['water_plants', 'team_user', 'channel_admin'] });

@Module({})
@Declares({ permissions: [LaterPermission] })
class LaterModule {}

let removeLaterModule = (): void => undefined;

/** The next servers run a version with one more module, or without it again. */
function setLaterModule(isThere: boolean): void {
  removeLaterModule();
  removeLaterModule = isThere ? addToApp(LaterModule) : () => undefined;
}

describe('what the version before left', () => {
  let database: TestDatabase;
  let server: TestServer | undefined;

  beforeEach(async () => {
    setLaterModule(false);
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await stop();
    await database.drop();
    setLaterModule(false);
  });

  const start = async (): Promise<TestServer> => (server = await startTestServer({}, database));
  const stop = async (): Promise<void> => {
    await server?.close();
    server = undefined;
  };
  const role = async (name: string): Promise<{ id: string; permissions: string[] }> =>
    (await server!.admin.get(`/roles/name/${name}`)).body;
  const without = async (name: string, permission: string): Promise<void> => {
    const { id, permissions } = await role(name);
    const rest = permissions.filter((other) => other !== permission);
    expect((await server!.admin.put(`/roles/${id}/patch`, { permissions: rest })).status).toBe(200);
  };

  /** A database as the version before left it: its migrations, and the roles that it made at its first start. */
  async function makeFormerDatabase(
    roles: Record<string, readonly string[]>,
    fill: (dataSource: DataSource) => Promise<unknown> = async () => undefined,
  ): Promise<void> {
    const { entities, migrations } = AppModule.declared;
    const former = migrations.filter(({ name }) => MIGRATIONS_BEFORE.test(name));
    expect(former).toHaveLength(4);
    const dataSource = new DataSource(
      dataSourceOptions(new Settings(database.env), { entities, migrations: former }),
    );
    await dataSource.initialize();
    await dataSource.runMigrations();
    for (const [name, permissions] of Object.entries(roles)) {
      await dataSource.query(
        `INSERT INTO roles (id, name, display_name, description, create_at, update_at, delete_at, permissions, scheme_managed, built_in)
         VALUES (?, ?, ?, '', 1, 1, 0, ?, 1, 1)`,
        [newId(), name, name, JSON.stringify(permissions)],
      );
    }
    await fill(dataSource);
    await dataSource.destroy();
  }

  it('an outgoing webhook is set by its creator', async () => {
    const creatorId = newId();
    await makeFormerDatabase({ system_admin: ['manage_system'] }, (former) =>
      former.query(
        `INSERT INTO outgoing_webhooks (id, create_at, update_at, delete_at, creator_id, channel_id, team_id, trigger_words, trigger_when, callback_urls, display_name, description, content_type, username, icon_url, sealed_token, sealed_signing_secret, sealed_previous_secret, previous_signing_until, disabled_at, disabled_reason, disabled_urls, failing_urls)
         VALUES (?, 1, 1, 0, ?, ?, ?, '[]', 0, '[]', 'Old', '', '', '', '', '', '', '', 0, 0, '', '[]', '{}')`,
        [newId(), creatorId, newId(), newId()],
      ),
    );
    await start();
    const rows = await server!.app
      .get(DataSource)
      .query('SELECT set_by, announced_pause FROM outgoing_webhooks');
    expect(rows).toEqual([{ set_by: creatorId, announced_pause: '' }]);
  });

  it('accounts of peers that were deactivated here stay so, those that their server deactivated do not', async () => {
    const props = (deleteAt?: string): object => ({
      RemoteUsername: '"RemoteDeleteAt":"9"',
      ...(deleteAt === undefined ? {} : { RemoteDeleteAt: deleteAt }),
    });
    const accounts: [id: string, remoteId: string, deleteAt: number, props: object][] = [
      ['here', newId(), 9, props()],
      ['here after there', newId(), 9, props('5')],
      ['there', newId(), 9, props('9')],
      ['active', newId(), 0, props('5')],
      ['local', '', 9, {}],
    ];
    await makeFormerDatabase({ system_admin: ['manage_system'] }, async (former) => {
      for (const [name, remoteId, deleteAt, stored] of accounts)
        await former.query(
          `INSERT INTO users (id, create_at, update_at, delete_at, username, password_hash, email, email_verified, nickname, first_name, last_name, position, roles, props, notify_props, timezone, locale, last_password_update, failed_attempts, last_failed_at, last_login, remote_id)
           VALUES (?, 1, 1, ?, ?, '', ?, 0, '', '', '', '', 'system_user', ?, '{}', '{}', 'en', 1, 0, 0, 0, ?)`,
          [newId(), deleteAt, name, name, JSON.stringify(stored), remoteId],
        );
    });
    const dataSource = new DataSource(dataSourceOptions(new Settings(database.env), AppModule.declared));
    await dataSource.initialize();
    await dataSource.runMigrations();
    const rows = await dataSource.query<{ username: string }[]>(
      'SELECT username FROM users WHERE is_deactivated_here = 1 ORDER BY username',
    );
    await dataSource.destroy();
    expect(rows.map(({ username }) => username)).toEqual(['here', 'here after there']);
  });

  describe('permissions of the built-in roles', () => {
    it('are on a new server what the modules declare', async () => {
      await start();
      const { permissions } = AppModule.declared;
      for (const name of BUILT_IN_ROLES) {
        const declared = permissions
          .filter(({ roles }) => name === 'system_admin' || roles.includes(name))
          .map(({ permission }) => permission);
        expect([name, [...(await role(name)).permissions].sort()]).toEqual([name, [...declared].sort()]);
      }
    });

    it('stay as an administrator left them when the version before is upgraded', async () => {
      await start();
      const names = [
        'system_admin',
        'system_user',
        'team_user',
        'team_admin',
        'channel_user',
        'channel_admin',
      ];
      const roles = Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, (await role(name)).permissions] as const)),
      );
      await stop();
      await database.drop();
      database = await createTestDatabase();
      const changed = {
        ...roles,
        team_user: ['view_team'],
        channel_admin: ['use_group_mentions', 'edit_post'],
      };
      await makeFormerDatabase(changed);
      await start();
      for (const [name, permissions] of Object.entries(changed))
        expect([name, (await role(name)).permissions]).toEqual([name, permissions]);
      expect((await role('team_guest')).permissions).toEqual(['view_team']); // was missing
    });

    it('get a permission that is new to a server, once', async () => {
      await makeFormerDatabase({ system_admin: ['manage_system'], team_user: ['view_team'] });
      setLaterModule(true);
      await start();
      expect((await role('team_user')).permissions).toEqual(['view_team', 'water_plants']);
      expect((await role('channel_admin')).permissions).toContain('water_plants');
      expect((await role('system_admin')).permissions).toContain('water_plants');
      expect((await role('team_admin')).permissions).not.toContain('water_plants');

      await without('team_user', 'water_plants');
      await stop();
      await start();
      expect((await role('team_user')).permissions).toEqual(['view_team']);
      expect((await role('channel_admin')).permissions).toContain('water_plants');
    });

    it('are declared by one module each', () => {
      @Module({})
      @Declares({ permissions: [definePermissions({ Again: ['manage_webhooks'] })] })
      class AnotherModule {}
      @Module({ imports: [AppModule, AnotherModule] })
      class BothModule {}
      expect(() => collectDeclared(BothModule)).toThrow(
        'The permission manage_webhooks is declared by PermissionsModule and by AnotherModule.',
      );
    });
  });
});

describe('incoming webhooks of the version before', () => {
  let database: TestDatabase;
  let server: TestServer | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await server?.close();
    await database.drop();
  });

  it('count as made by their owners, and the log names those of administrators once', async () => {
    const former = (server = await startTestServer({}, database));
    const { id: teamId, channelId } = await buildTeam(former.admin);
    const owner = await buildMember(former, [teamId]);
    const makeFor = async (userId: string, name: string): Promise<string> =>
      (await buildIncomingHook(former.admin, channelId, { user_id: userId, display_name: name })).id;
    const ofAdmin = await makeFor(former.adminId, 'Build "bot"');
    const ofMember = await makeFor(owner.id, 'Of a member');
    const gone = await makeFor(former.adminId, 'Deleted');
    await former.admin.call('DELETE', `/hooks/incoming/${gone}`);
    await former.close();
    server = undefined;
    const dataSource = new DataSource(dataSourceOptions(new Settings(database.env), AppModule.declared));
    await dataSource.initialize();
    await dataSource.query('ALTER TABLE incoming_webhooks DROP COLUMN maker_id');
    await dataSource.query("DELETE FROM migrations WHERE name LIKE 'AddHookMakers%'");
    await dataSource.destroy();

    const first = (server = await startTestServer({}, database));
    const reviews = (logs: readonly string[]): string[] =>
      logs.filter((line) => line.includes('is not known'));
    const [line, ...more] = reviews(first.logs);
    expect(more).toEqual([]);
    expect(JSON.parse(line!)).toMatchObject({ level: 'warn' });
    expect(JSON.parse(line!).msg).toContain(`"Build \\"bot\\"" (${secretHash(ofAdmin)}) of admin`);
    for (const unnamed of [ofAdmin, 'Of a member', 'Deleted']) expect(line).not.toContain(unnamed);
    for (const id of [ofAdmin, ofMember]) {
      const answer = await first.anonymous.post(`/hooks/${id}`, { text: 'As before', channel: '@admin' });
      expect(answer.status).toBe(200);
    }
    await first.close();
    server = undefined;
    const second = (server = await startTestServer({}, database));
    expect(reviews(second.logs)).toEqual([]);
  });
});

describe('deliveries', () => {
  it('that the version before has stored are sent', async () => {
    const database = await createTestDatabase();
    const receiver = await Receiver.start();
    const start = (): Promise<TestServer> =>
      startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1' }, database);
    let server = await start();
    try {
      const team = await buildTeam(server.admin);
      const hook = await buildOutgoingHook(server.admin, team.id, {
        callback_urls: [receiver.url('/')],
        content_type: 'application/json',
      });
      await server.close();

      const { entities, migrations } = AppModule.declared;
      const dataSource = new DataSource(
        dataSourceOptions(new Settings(database.env), { entities, migrations }),
      );
      await dataSource.initialize();
      const migration = new ShareDeliveryPayloads1795339607924();
      await migration.down(dataSource.createQueryRunner());
      await dataSource.query('DELETE FROM migrations WHERE name = ?', [migration.name]);
      const row = {
        ...{
          id: newId(),
          seq: Date.now() * 2048,
          kind: 'outgoing_hook',
          owner_id: hook.id,
          subject_id: newId(),
        },
        ...{ url: receiver.url('/'), lane: receiver.origin, content_type: 'application/json' },
        body: JSON.stringify({ channel_id: team.channelId, text: 'from before', trigger_word: 'deploy' }),
        ...{ status: 'pending', reason: '', attempts: 0, step: 0, next_attempt_at: 1, create_at: 1 },
        ...{ finish_at: 0, last_code: 0, last_error: '', reply_post_id: '' },
      };
      await dataSource.query(
        `INSERT INTO deliveries (${Object.keys(row).join()}) VALUES (${Object.keys(row)
          .map(() => '?')
          .join()})`,
        Object.values(row),
      );
      await dataSource.destroy();

      server = await start();
      const { body } = await eventually(() => receiver.calls[0]);
      expect(JSON.parse(body)).toMatchObject({ text: 'from before', trigger_word: 'deploy' });
      const log = `/hooks/outgoing/${hook.id}/deliveries/${row.id}`;
      await eventually(async () => (await server.admin.get(log)).body.status === 'delivered');
      expect((await server.admin.get(log)).body.payload).toMatchObject({ text: 'from before' });
    } finally {
      await server.close();
      await receiver.close();
      await database.drop();
    }
  });
});
