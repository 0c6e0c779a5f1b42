import { existsSync } from 'node:fs';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { AuthModule } from '../../messaging/auth/auth.module.js';
import { LOCAL_ACTOR } from '../../messaging/permissions/actor.js';
import { PermissionsModule } from '../../messaging/permissions/permissions.module.js';
import { AccountsService } from '../../messaging/users/accounts.service.js';
import { UsersService } from '../../messaging/users/users.service.js';
import { usernameNotFound } from '../../messaging/users/users.errors.js';
import { UsersModule } from '../../messaging/users/users.module.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';
import type { AllSettings } from '../../platform/config/all-settings.js';
import { Settings } from '../../platform/config/settings.js';
import { sqliteFile } from '../../platform/database/data-source.options.js';
import { PlatformModule } from '../../platform/platform.module.js';
import { withStoppedServer } from '../stopped-server.js';
import { BootstrapSettings } from '../bootstrap.settings.js';
import type { Accounts, NewAdministrator } from './accounts.js';

/** The part of the server that manages accounts and sessions. */
@Module({ imports: [PlatformModule, PermissionsModule, AuthModule, UsersModule] })
class AccountsModule {}

/** Changes accounts directly in the database, by the rules of the server. */
class StoppedAccounts implements Accounts {
  constructor(private readonly app: INestApplicationContext) {}

  async has(username: string): Promise<boolean> {
    return (await this.app.get(UsersService).findByUsername(username)) !== null;
  }

  async createAdministrator(administrator: NewAdministrator): Promise<void> {
    const { id } = await this.app.get(UsersService).createAdministrator(administrator);
    await this.record('create_user', id);
  }

  async resetPassword(username: string, next: string): Promise<{ isActive: boolean }> {
    const user = await this.app.get(UsersService).findByUsername(username);
    if (!user) throw usernameNotFound();
    await this.app
      .get(AccountsService)
      .changePassword(LOCAL_ACTOR, user.id, { current: '', next, isHashed: false }, '');
    await this.record('update_password', user.id);
    return { isActive: user.deleteAt === 0 };
  }

  private record(action: string, target: string): Promise<void> {
    const entry = { userId: '', action, target, status: 200, errorId: '', requestId: '', address: '' };
    return this.app.get(AuditService).record(entry);
  }
}

/** Runs `action` while no server uses the database. Throws CommandRefused. */
export async function withStoppedAccounts<T>(
  all: AllSettings,
  action: (accounts: Accounts) => Promise<T>,
): Promise<T> {
  const settings = all.get(Settings);
  if (settings.databaseUrl === undefined && !existsSync(sqliteFile(settings.dataDir)))
    throw new CommandRefused(
      `There is no database in ${settings.dataDir} (DATA_DIR): start the server once.`,
    );
  return withStoppedServer(
    all,
    AccountsModule,
    'With LOCAL_MODE_SOCKET, this works while the server runs.',
    async (app) => {
      await requireFirstStart(app, all);
      return action(new StoppedAccounts(app));
    },
  );
}

/** The first start creates an administrator, a team and a webhook only if there is no account yet. */
async function requireFirstStart(app: INestApplicationContext, all: AllSettings): Promise<void> {
  if (all.get(BootstrapSettings).bootstrap === 'none' || (await app.get(UsersService).hasAnyUser())) return;
  throw new CommandRefused(
    'The database has no accounts yet: start the server once, which creates the first administrator.',
  );
}
