import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { TeamRecords } from '../messaging/teams/team-records.js';
import { UserUpdated } from '../messaging/users/users.events.js';
import { UserRecords } from '../messaging/users/user-records.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { On } from '../platform/events/listeners.js';
import type { IncomingHook } from './incoming-hook.entity.js';
import { IncomingHookListsReadModel } from './incoming-hook-lists.read-model.js';
import { tooManyIncomingHooksInTeam, tooManyIncomingHooksOfUser } from './incoming-hooks.errors.js';
import { IncomingHooksSettings } from './incoming-hooks.settings.js';

/** More transactions than can be open at once. */
const MARGIN = 100;
const MAX_BOUNDS = 20_000;

/** Whose webhooks are counted: those of a team, and of these a person's with those of the person's bots. */
interface Place {
  readonly teamId: string;
  readonly personId: string;
}

/**
 * Keeps the number of webhooks within its limits (docs/contract/incoming-webhooks.md#create), also when many are made at
 * once. Close to a limit one is made after the other, with the team locked, and counted each time. Further away nothing
 * waits and nothing is counted: it is known how many there are at most, as long as this process makes all of them.
 */
@Injectable()
export class IncomingHookLimits {
  /** How many there are at most, by team, and by team and person. Never lowered but by counting. */
  private readonly bounds = new LRUCache<string, number>({ max: MAX_BOUNDS });
  private generation = 0;
  private readonly counting = new Map<string, Promise<void>>();
  /** How many are being made without the lock, by team. */
  private readonly unlocked = new Map<string, number>();

  constructor(
    private readonly lists: IncomingHookListsReadModel,
    private readonly teams: TeamRecords,
    private readonly users: UserRecords,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: IncomingHooksSettings,
  ) {}

  /** Runs `insert` if there is room. With `isLimited`, those of the person behind the owner are limited too. */
  async within(hook: IncomingHook, isLimited: boolean, insert: () => Promise<unknown>): Promise<void> {
    const { teamId } = hook;
    const place = { teamId, personId: await this.users.personOf(hook.userId) };
    if (await this.isReserved(place, isLimited)) {
      try {
        await insert();
      } finally {
        this.changeUnlocked(teamId, -1);
      }
      return;
    }
    await this.unitOfWork.run(async () => {
      await this.teams.lock(teamId);
      await this.requireRoom(place, isLimited);
      this.raise(place);
      await insert();
    });
  }

  /** A bot may have another owner, whose webhooks are more now. */
  @On(UserUpdated)
  forgetBounds(): void {
    this.generation++;
    this.bounds.clear();
  }

  /** Counts one as made if the limits are far away. Otherwise it needs the lock. */
  private async isReserved(place: Place, isLimited: boolean): Promise<boolean> {
    if (this.unitOfWork.changes.isShared) return false; // other processes make some as well
    const { teamId } = place;
    for (let counting; (counting = this.counting.get(teamId));) await counting;
    if (this.reserve(place, isLimited)) return true;
    const counting = this.count(place).finally(() => this.counting.delete(teamId));
    this.counting.set(teamId, counting);
    await counting;
    return this.reserve(place, isLimited);
  }

  private reserve({ teamId, personId }: Place, isLimited: boolean): boolean {
    const { incomingWebhooksPerTeam: perTeam, incomingWebhooksPerUser: perUser } = this.settings;
    const ofPerson = `${teamId} ${personId}`;
    if (!this.isFarBelow(perTeam, teamId) || (isLimited && !this.isFarBelow(perUser, ofPerson))) return false;
    this.raise({ teamId, personId });
    this.changeUnlocked(teamId, 1);
    return true;
  }

  private raise({ teamId, personId }: Place): void {
    for (const key of [teamId, `${teamId} ${personId}`]) {
      const bound = this.bounds.get(key);
      if (bound !== undefined) this.bounds.set(key, bound + 1);
    }
  }

  private isFarBelow(limit: number, key: string): boolean {
    const bound = this.bounds.get(key);
    return bound !== undefined && bound + MARGIN <= limit;
  }

  /** Nothing in the team is reserved meanwhile. */
  private async count({ teamId, personId }: Place): Promise<void> {
    const { generation } = this;
    const unlocked = this.unlocked.get(teamId) ?? 0;
    const { inTeam, ofPerson } = await this.lists.countInTeam(teamId, personId);
    if (generation !== this.generation) return;
    this.bounds.set(teamId, inTeam + unlocked);
    this.bounds.set(`${teamId} ${personId}`, ofPerson + unlocked);
  }

  /** Those being made without the lock count as made: they were far from the limits when they began. */
  private async requireRoom({ teamId, personId }: Place, isLimited: boolean): Promise<void> {
    const { incomingWebhooksPerTeam: perTeam, incomingWebhooksPerUser: perUser } = this.settings;
    const unlocked = this.unlocked.get(teamId) ?? 0;
    const { inTeam, ofPerson } = await this.lists.countInTeam(teamId, personId);
    if (inTeam + unlocked >= perTeam) throw tooManyIncomingHooksInTeam(perTeam);
    if (isLimited && ofPerson + unlocked >= perUser) throw tooManyIncomingHooksOfUser(perUser);
  }

  private changeUnlocked(teamId: string, change: number): void {
    const count = (this.unlocked.get(teamId) ?? 0) + change;
    if (count > 0) this.unlocked.set(teamId, count);
    else this.unlocked.delete(teamId);
  }
}
