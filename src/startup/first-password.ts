import { Injectable } from '@nestjs/common';
import { UserRecords } from '../messaging/users/user-records.js';
import { UserPasswordChanged } from '../messaging/users/users.events.js';
import { Settings } from '../platform/config/settings.js';
import { OnEverywhere } from '../platform/events/listeners.js';
import { forgetFirstPassword, readInitialAdmin } from './initial-admin.js';

/** Deletes the file with the first password once the account has another one. */
@Injectable()
export class FirstPassword {
  constructor(
    private readonly users: UserRecords,
    private readonly settings: Settings,
  ) {}

  /** In every process: the file is on the machine that made the account. */
  @OnEverywhere(UserPasswordChanged)
  async onPasswordChanged({ userId }: UserPasswordChanged): Promise<void> {
    const { dataDir } = this.settings;
    if (!readInitialAdmin(dataDir)) return;
    const user = await this.users.find(userId);
    if (user) forgetFirstPassword(dataDir, user);
  }

  /** For a change that no process of this machine has heard of. */
  async check(): Promise<void> {
    const { dataDir } = this.settings;
    const first = readInitialAdmin(dataDir);
    if (!first) return;
    const user =
      first.id === undefined
        ? await this.users.findByUsername(first.username)
        : await this.users.find(first.id);
    if (user && user.lastPasswordUpdate > user.createAt) forgetFirstPassword(dataDir, user);
  }
}
