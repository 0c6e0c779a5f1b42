import { Injectable } from '@nestjs/common';
import { UserRecords } from '../messaging/users/user-records.js';
import { UserPasswordChanged } from '../messaging/users/users.events.js';
import { Settings } from '../platform/config/settings.js';
import { OnEverywhere } from '../platform/events/listeners.js';
import { forgetFirstPassword, readInitialAdmin } from './private-file.js';

/** Deletes the file with the initial password once the account has a new one. */
@Injectable()
export class FirstPassword {
  constructor(
    private readonly users: UserRecords,
    private readonly settings: Settings,
  ) {}

  /** Runs in every process: the file is on the machine that created the account. */
  @OnEverywhere(UserPasswordChanged)
  async onPasswordChanged({ userId }: UserPasswordChanged): Promise<void> {
    const { dataDir } = this.settings;
    if (!readInitialAdmin(dataDir)) return;
    const user = await this.users.find(userId);
    if (user) forgetFirstPassword(dataDir, user);
  }

  /** Catches a change that no process on this machine was notified of. */
  async check(): Promise<void> {
    const { dataDir } = this.settings;
    const first = readInitialAdmin(dataDir);
    if (!first) return;
    const user = await this.users.find(first.id);
    if (user && user.lastPasswordUpdate > user.createAt) forgetFirstPassword(dataDir, user);
  }
}
