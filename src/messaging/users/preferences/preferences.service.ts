import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../platform/common/errors/common-errors.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { byteLength, runeLength } from '../../../platform/common/utf8.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Actor } from '../../permissions/actor.js';
import type { PreferenceDto } from './preferences.controller.js';
import { PreferencesChanged } from '../users.events.js';
import type { Preference } from '../preference.entity.js';
import { UsersPolicy } from '../users.policy.js';
import { UsersService } from '../users.service.js';
import { foreignPreference, preferenceCategoryNotFound, preferenceNotFound } from '../users.errors.js';
import { type PreferencesTotal, PreferencesRepository } from './preferences.repository.js';

const MAX_KEY_BYTES = 32;
const MAX_VALUE_RUNES = 20_000;
const MAX_VALUE_BYTES = 65_535;
export const MAX_PER_USER = 10_000;
/** Preference lists are not paged, so the total per user is limited. */
export const MAX_BYTES_PER_USER = 2 * 1024 * 1024;

/** The settings that clients store for a user (docs/contract/messaging.md#preferences). */
@Injectable()
export class PreferencesService {
  constructor(
    private readonly repository: PreferencesRepository,
    private readonly users: UsersService,
    private readonly policy: UsersPolicy,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
  ) {}

  async list(actor: Actor, userId: string): Promise<Preference[]> {
    await this.requireOwner(actor, userId);
    return this.repository.list(userId);
  }

  async listByCategory(actor: Actor, userId: string, category: string): Promise<Preference[]> {
    await this.requireOwner(actor, userId);
    const preferences = isKey(category) ? await this.repository.listByCategory(userId, category) : [];
    if (preferences.length === 0) throw preferenceCategoryNotFound();
    return preferences;
  }

  async get(actor: Actor, userId: string, category: string, name: string): Promise<Preference> {
    await this.requireOwner(actor, userId);
    const isPossible = isKey(category) && isKey(name);
    const preference = isPossible ? await this.repository.find(userId, category, name) : null;
    if (!preference) throw preferenceNotFound();
    return preference;
  }

  async put(actor: Actor, userId: string, bodies: readonly PreferenceDto[]): Promise<void> {
    await this.requireOwner(actor, userId);
    const preferences = toPreferences(userId, bodies, 'api.preference.update_preferences.set.app_error');
    await this.unitOfWork.run(async () => {
      await this.users.getForUpdate(userId); // concurrent calls must not exceed the limit together
      const before = await this.repository.total(userId);
      await this.repository.put(preferences);
      requireWithinLimits(before, await this.repository.total(userId));
      await this.events.publish(new PreferencesChanged(userId, preferences, false));
    });
  }

  async delete(actor: Actor, userId: string, bodies: readonly PreferenceDto[]): Promise<void> {
    await this.requireOwner(actor, userId);
    const preferences = toPreferences(userId, bodies, 'api.preference.delete_preferences.delete.app_error');
    await this.unitOfWork.run(async () => {
      for (const preference of preferences) await this.repository.delete(preference);
      await this.events.publish(new PreferencesChanged(userId, preferences, true));
    });
  }

  private async requireOwner(actor: Actor, userId: string): Promise<void> {
    await this.policy.requireManage(actor, userId);
    await this.users.get(userId);
  }
}

/** Validates the preferences of a body; the last one with a given key wins. */
function toPreferences(userId: string, bodies: readonly PreferenceDto[], foreignId: string): Preference[] {
  const preferences = new Map<string, Preference>();
  for (const { user_id, category, name, value } of bodies) {
    if (user_id !== userId) throw foreignPreference(foreignId);
    requireKey('category', category, 1);
    requireKey('name', name, 0);
    if (runeLength(value) > MAX_VALUE_RUNES)
      throw rule('value', `it must have at most ${MAX_VALUE_RUNES} characters`);
    if (byteLength(value) > MAX_VALUE_BYTES)
      throw rule('value', `it must have at most ${MAX_VALUE_BYTES} bytes`);
    preferences.set(`${category}\0${name}`, { userId, category, name, value });
  }
  return [...preferences.values()];
}

/** A total already above the limit may shrink or stay the same, but not grow. */
function requireWithinLimits(before: PreferencesTotal, after: PreferencesTotal): void {
  if (after.count > MAX_PER_USER && after.count > before.count)
    throw tooMany('limit', `a user can have at most ${MAX_PER_USER}`);
  if (after.bytes > MAX_BYTES_PER_USER && after.bytes > before.bytes)
    throw tooMany('size', `those of a user must have at most ${MAX_BYTES_PER_USER} bytes in total`);
}

const tooMany = (rule: string, reason: string): ValidationFailed =>
  new ValidationFailed(`app.preference.${rule}.app_error`, 'preferences', reason);

const isKey = (text: string): boolean => byteLength(text) <= MAX_KEY_BYTES;

function requireKey(field: string, text: string, min: number): void {
  const length = byteLength(text);
  if (length < min || length > MAX_KEY_BYTES)
    throw rule(field, `it must have ${min} to ${MAX_KEY_BYTES} bytes`);
}

const rule = (field: string, reason: string): ValidationFailed =>
  new ValidationFailed(`model.preference.is_valid.${field}.app_error`, field, reason);
