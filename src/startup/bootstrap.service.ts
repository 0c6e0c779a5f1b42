import { Injectable, Logger } from '@nestjs/common';
import { ChannelsService } from '../messaging/channels/channels.service.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';
import { newId } from '../platform/common/ids.js';
import { SettingError } from '../platform/config/parse.js';
import { IncomingHooksSettings } from '../incoming-hooks/incoming-hooks.settings.js';
import { Settings } from '../platform/config/settings.js';
import { BootstrapSettings } from './bootstrap.settings.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { IncomingHookChangesService } from '../incoming-hooks/incoming-hook-changes.service.js';
import { IncomingHooksService } from '../incoming-hooks/incoming-hooks.service.js';
import { RolesService } from '../messaging/permissions/roles.service.js';
import { TeamsService } from '../messaging/teams/teams.service.js';
import { AccountsService } from '../messaging/users/accounts.service.js';
import { UsersService } from '../messaging/users/users.service.js';
import { UserPasswordChanged } from '../messaging/users/users.events.js';
import { OnEverywhere } from '../platform/events/listeners.js';
import { postCommand, siteUrl } from './start-summary.js';
import { forgetFirstPassword, initialAdminFile, PrivateFile, readInitialAdmin } from './private-file.js';

const FIRST_HOOK = 'First webhook';
const VARIABLES: Readonly<Record<string, string>> = {
  username: 'ADMIN_USERNAME',
  email: 'ADMIN_EMAIL',
  password: 'ADMIN_PASSWORD',
};

/** The initial contents that a start found or created, for the summary. */
export interface StartContents {
  readonly hasUsers: boolean;
  /** The first administrator; undefined if no account has that name. */
  readonly adminUsername: string | undefined;
  /** `settings`: it was taken from ADMIN_PASSWORD on this start. `path`: the file that contains it. */
  readonly adminPassword: 'settings' | { readonly path: string } | undefined;
  /** The first webhook; undefined if it was deleted or webhooks are disabled. */
  readonly firstHookName: string | undefined;
  /** The file with its address, if it still exists. */
  readonly firstHookPath: string | undefined;
  /** Its id, which is a secret; set only on the first start. */
  readonly firstHookId: string | undefined;
}

/** Creates the initial contents of a new server, all or nothing. */
@Injectable()
export class BootstrapService {
  private readonly adminFile: PrivateFile;
  private readonly hookFile: PrivateFile;

  constructor(
    private readonly settings: BootstrapSettings,
    private readonly platform: Settings,
    private readonly hooksSettings: IncomingHooksSettings,
    private readonly roles: RolesService,
    private readonly users: UsersService,
    private readonly accounts: AccountsService,
    private readonly teams: TeamsService,
    private readonly channels: ChannelsService,
    private readonly hooks: IncomingHooksService,
    private readonly hookChanges: IncomingHookChangesService,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.adminFile = initialAdminFile(platform.dataDir);
    this.hookFile = new PrivateFile(platform.dataDir, 'first-webhook.txt');
  }

  /** Runs at each start, before the port opens. Throws SettingError if the administrator's settings are invalid. */
  async run(): Promise<StartContents> {
    await this.roles.ensureDefaults();
    await this.retireGuests();
    const isFirstStart = this.settings.bootstrap !== 'none' && !(await this.users.hasAnyUser());
    if (isFirstStart) await this.createContents();
    else await this.checkFirstPassword();
    return this.contents(isFirstStart);
  }

  /** Corrects the port in the first webhook's file if it was only assigned on listening. */
  listensOn(port: number, { firstHookId }: StartContents): void {
    if (firstHookId !== undefined && port !== this.platform.port) this.keepAddress(firstHookId, port);
  }

  /** Deletes the file with the initial password in every process: it is on the machine that created the account. */
  @OnEverywhere(UserPasswordChanged)
  onPasswordChanged({ userId }: UserPasswordChanged): void {
    forgetFirstPassword(this.platform.dataDir, { id: userId });
  }

  private async retireGuests(): Promise<void> {
    const usernames = await this.accounts.retireGuests();
    if (usernames.length === 0) return;
    const names = usernames.join(', ');
    new Logger(BootstrapService.name).warn(`Guest accounts are not available. Deactivated: ${names}.`);
  }

  /** Catches a change that no process on this machine was notified of. */
  private async checkFirstPassword(): Promise<void> {
    const first = readInitialAdmin(this.platform.dataDir);
    const user = first && (await this.users.find(first.id));
    if (user && user.lastPasswordUpdate > user.createAt) this.adminFile.remove();
  }

  private async createContents(): Promise<void> {
    const { adminUsername, adminEmail, adminPassword } = this.settings;
    const admin = { username: adminUsername, email: adminEmail, password: adminPassword ?? newId() };
    try {
      await this.unitOfWork.run(async () => {
        const { id: userId } = await this.users.createAdministrator(admin);
        const team = await this.teams.createFor(userId, { name: 'main', displayName: 'Main', type: 'O' });
        const channel = await this.channels.findByName(team.id, 'town-square');
        if (!channel) throw new Error('The new team has no town-square.');
        const description = 'Created on the first start, to try out posting.';
        const about = { displayName: FIRST_HOOK, description, channelLocked: true };
        const hook = await this.hookChanges.add(channel, { userId, makerId: '', ...about });
        this.keepAddress(hook.id, this.platform.port);
        // Before the commit: no one could sign in to an account whose password was lost.
        if (adminPassword === undefined)
          this.adminFile.write(JSON.stringify({ ...admin, id: userId }, null, 2));
      });
    } catch (error) {
      const variable = error instanceof ValidationFailed ? VARIABLES[error.field] : undefined;
      throw variable === undefined
        ? error
        : new SettingError(`${variable} cannot be used. ${(error as Error).message}`);
    }
    if (adminPassword !== undefined) this.adminFile.remove(); // left by an incomplete first start
  }

  /** Best effort: the administrator can look up the address. */
  private keepAddress(hookId: string, port: number): void {
    try {
      this.hookFile.write(postCommand(siteUrl(this.platform, port), hookId));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      new Logger(BootstrapService.name).warn(`The URL of the first webhook is not saved: ${reason}`);
    }
  }

  private async contents(isFirstStart: boolean): Promise<StartContents> {
    const admin = await this.users.findByUsername(this.settings.adminUsername.toLowerCase());
    const oldest =
      admin && this.hooksSettings.enableIncomingWebhooks ? await this.hooks.findOldestOf(admin.id) : null;
    const hook = oldest?.displayName === FIRST_HOOK ? oldest : null;
    const adminPassword = this.adminFile.exists
      ? { path: this.adminFile.path }
      : isFirstStart
        ? 'settings'
        : undefined;
    return {
      hasUsers: await this.users.hasAnyUser(),
      adminUsername: admin?.username,
      adminPassword,
      firstHookName: hook?.displayName,
      firstHookPath: this.hookFile.exists ? this.hookFile.path : undefined,
      firstHookId: isFirstStart ? hook?.id : undefined,
    };
  }
}
