import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppModule } from '../src/app.module.js';
import { Session } from '../src/messaging/auth/session.entity.js';
import { SessionsRepository } from '../src/messaging/auth/sessions.repository.js';
import { User } from '../src/messaging/users/user.entity.js';
import { BUILT_IN_ROLES, definePermissions } from '../src/platform/access/access.js';
import { Settings } from '../src/platform/config/settings.js';
import { dataSourceOptions } from '../src/platform/database/data-source.options.js';
import { collectDeclared } from '../src/platform/modules/collect.js';
import { Declares } from '../src/platform/modules/declares.js';
import { buildTeam, buildTeamMember } from './factories/teams.js';
import { buildUser, USER_PASSWORD } from './factories/users.js';
import { addToApp } from './support/app-modules.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { startTestServer, type TestServer } from './support/test-server.js';

/** The migrations of version 0.1.0. */
const BASELINE = /17000000000\d\d$/;

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

describe('an upgraded server', () => {
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

  /** A database as version 0.1.0 left it, in which an administrator has changed these roles. */
  async function makeFormerDatabase(roles: Record<string, readonly string[]>): Promise<void> {
    const { entities, migrations } = AppModule.declared;
    const former = migrations.filter(({ name }) => BASELINE.test(name));
    expect(former).toHaveLength(15);
    const dataSource = new DataSource(
      dataSourceOptions(new Settings(database.env), { entities, migrations: former }),
    );
    await dataSource.initialize();
    await dataSource.runMigrations();
    for (const [name, permissions] of Object.entries(roles))
      await dataSource.query('UPDATE roles SET permissions = ? WHERE name = ?', [
        JSON.stringify(permissions),
        name,
      ]);
    await dataSource.destroy();
  }

  describe('accounts that were guests', () => {
    /** Changes the stopped server's database to one with these guests, as it was before the migration. */
    async function makeGuests(...ids: readonly string[]): Promise<void> {
      await withStored(async (dataSource) => {
        for (const id of ids) {
          await dataSource.query("UPDATE users SET roles = 'system_guest' WHERE id = ?", [id]);
          for (const table of ['team_members', 'channel_members'])
            await dataSource.query(
              `UPDATE ${table} SET scheme_guest = 1, scheme_user = 0 WHERE user_id = ?`,
              [id],
            );
        }
        const migrated = dataSource.options.migrationsTableName ?? 'migrations';
        await dataSource.query(`DELETE FROM ${migrated} WHERE name = 'RemoveGuests1700000000100'`);
      });
    }

    async function withStored<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
      const { entities } = AppModule.declared;
      const options = dataSourceOptions(new Settings(database.env), { entities, migrations: [] });
      const dataSource = await new DataSource(options).initialize();
      try {
        return await work(dataSource);
      } finally {
        await dataSource.destroy();
      }
    }

    /** Starts the server, and returns the usernames that its warning about guests lists. */
    const namedAtStart = async (): Promise<string[]> => {
      const { logs } = await start();
      const [, names] =
        /Guest accounts are not available\. Deactivated: (.*?)\."/.exec(logs.join('\n')) ?? [];
      return names?.split(', ') ?? [];
    };

    it('are deactivated once, and are ordinary ones when activated again', async () => {
      await start();
      const team = await buildTeam(server!.admin);
      const { id, username } = await buildTeamMember(server!, team.id);
      const inactive = await buildTeamMember(server!, team.id);
      await server!.admin.delete(`/users/${inactive.id}`);
      const { delete_at: deactivatedAt } = (await server!.admin.get(`/users/${inactive.id}`)).body;
      await stop();
      await makeGuests(id, inactive.id);

      expect(await namedAtStart()).toEqual([username]);
      const { admin } = server!;
      const { body } = await admin.get(`/users/${id}`);
      expect(body).toMatchObject({ roles: 'system_user', delete_at: expect.any(Number) });
      expect(body.delete_at).toBeGreaterThan(0);
      expect((await admin.get(`/users/${inactive.id}`)).body).toMatchObject({
        roles: 'system_user',
        delete_at: deactivatedAt,
      });
      expect(await withStored((stored) => stored.getRepository(Session).countBy({ userId: id }))).toBe(0);
      await expect(server!.login(username, USER_PASSWORD)).rejects.toThrow('refused');

      await admin.call('PUT', `/users/${id}/active`, { active: true });
      expect((await admin.get(`/teams/${team.id}/members/${id}`)).body.roles).toBe('team_user');
      await stop();
      expect(await namedAtStart()).toEqual([]);
      expect((await server!.admin.get(`/users/${id}`)).body.delete_at).toBe(0);
    });

    it('never become active users, even if a start fails', async () => {
      await start();
      const { id, username } = await buildUser(server!);
      await stop();
      await makeGuests(id);
      const failure = new Error('the disk is full');
      const deletion = jest
        .spyOn(SessionsRepository.prototype, 'deleteByUser')
        .mockRejectedValueOnce(failure);
      await expect(start()).rejects.toThrow(failure);
      deletion.mockRestore();
      expect(await withStored((stored) => stored.getRepository(User).findOneBy({ id }))).toMatchObject({
        roles: 'system_guest',
        deleteAt: 0,
      });
      expect(await namedAtStart()).toEqual([username]);
    });
  });

  describe('permissions of the built-in roles', () => {
    it('match the module declarations on a new server', async () => {
      await start();
      const { permissions } = AppModule.declared;
      for (const name of BUILT_IN_ROLES) {
        const declared = permissions
          .filter(({ roles }) => name === 'system_admin' || roles.includes(name))
          .map(({ permission }) => permission);
        expect([name, [...(await role(name)).permissions].sort()]).toEqual([name, [...declared].sort()]);
      }
    });

    it('are not changed by an upgrade if an administrator has edited them', async () => {
      const changed = {
        team_user: ['view_team'],
        channel_admin: ['use_group_mentions', 'edit_post'],
      };
      await makeFormerDatabase(changed);
      await start();
      for (const [name, permissions] of Object.entries(changed))
        expect([name, (await role(name)).permissions]).toEqual([name, permissions]);
      expect((await role('system_post_all')).permissions).toEqual(['create_post', 'use_channel_mentions']);
    });

    it('get a new permission once', async () => {
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
