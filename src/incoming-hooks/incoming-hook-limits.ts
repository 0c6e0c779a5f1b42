import { Injectable } from '@nestjs/common';
import { TeamRecords } from '../messaging/teams/team-records.js';
import { UserRecords } from '../messaging/users/user-records.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { IncomingHook } from './incoming-hook.entity.js';
import { IncomingHookListsReadModel } from './incoming-hook-lists.read-model.js';
import { TooManyIncomingHooksInTeam, TooManyIncomingHooksOfUser } from './incoming-hooks.errors.js';
import { IncomingHooksSettings } from './incoming-hooks.settings.js';

/** More transactions than can be open at once. */
const MARGIN = 100;

/**
 * Keeps the number of webhooks within its limits (docs/contract/incoming-webhooks.md#create), also when many are made at
 * once. Close to a limit one is made after the other, with the team locked; further away without waiting.
 */
@Injectable()
export class IncomingHookLimits {
  /** How many are being made without the lock, by team. */
  private readonly unlocked = new Map<string, number>();

  constructor(
    private readonly lists: IncomingHookListsReadModel,
    private readonly teams: TeamRecords,
    private readonly users: UserRecords,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: IncomingHooksSettings,
  ) {}

  /** Runs `insert` in a unit of work if there is room. With `isLimited`, those of the person behind the owner are limited too. */
  async within(hook: IncomingHook, isLimited: boolean, insert: () => Promise<void>): Promise<void> {
    let isUnlocked = false;
    try {
      await this.unitOfWork.run(async () => {
        const isFar = await this.isFarFromLimits(hook, isLimited);
        if (isFar && !isUnlocked) this.count(hook.teamId, 1);
        isUnlocked ||= isFar;
        if (!isFar) {
          await this.teams.lock(hook.teamId);
          await this.requireRoom(hook, isLimited);
        }
        await insert();
      });
    } finally {
      if (isUnlocked) this.count(hook.teamId, -1);
    }
  }

  private async isFarFromLimits({ teamId, userId }: IncomingHook, isLimited: boolean): Promise<boolean> {
    const { incomingWebhooksPerTeam: perTeam, incomingWebhooksPerUser: perUser } = this.settings;
    const { inTeam, ofPerson } = await this.countInTeam(teamId, userId);
    return inTeam + MARGIN <= perTeam && (!isLimited || ofPerson + MARGIN <= perUser);
  }

  /** The hooks of a team, and of these those of a person and of the person's bots. */
  private async countInTeam(teamId: string, ownerId: string): Promise<{ inTeam: number; ofPerson: number }> {
    return this.lists.countInTeam(teamId, await this.users.personOf(ownerId));
  }

  /** Those being made without the lock count as made: they were far from the limits when they began. */
  private async requireRoom({ teamId, userId }: IncomingHook, isLimited: boolean): Promise<void> {
    const { incomingWebhooksPerTeam: perTeam, incomingWebhooksPerUser: perUser } = this.settings;
    const unlocked = this.unlocked.get(teamId) ?? 0;
    const { inTeam, ofPerson } = await this.countInTeam(teamId, userId);
    if (inTeam + unlocked >= perTeam) throw new TooManyIncomingHooksInTeam(perTeam);
    if (isLimited && ofPerson + unlocked >= perUser) throw new TooManyIncomingHooksOfUser(perUser);
  }

  private count(teamId: string, change: number): void {
    const count = (this.unlocked.get(teamId) ?? 0) + change;
    if (count > 0) this.unlocked.set(teamId, count);
    else this.unlocked.delete(teamId);
  }
}
