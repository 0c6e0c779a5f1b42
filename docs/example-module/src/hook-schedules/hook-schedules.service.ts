import { Injectable } from '@nestjs/common';
import { IncomingHooksService } from '../incoming-hooks/incoming-hooks.service.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { TeamsService } from '../messaging/teams/teams.service.js';
import { Clock } from '../platform/common/clock.js';
import type { Page } from '../platform/common/dto/params.js';
import { InvalidBodyParam } from '../platform/common/errors/common-errors.js';
import { newId } from '../platform/common/ids.js';
import { byteLength } from '../platform/common/utf8.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { EventBus } from '../platform/events/event-bus.js';
import type { CreateHookScheduleDto } from './dto/create-hook-schedule.dto.js';
import type { UpdateHookScheduleDto } from './dto/update-hook-schedule.dto.js';
import type { HookSchedule } from './hook-schedule.entity.js';
import {
  invalidHookScheduleName,
  hookScheduleNotFound,
  hookSchedulesDisabled,
} from './hook-schedules.errors.js';
import { HookScheduleCreated } from './hook-schedules.events.js';
import { HookSchedulesPolicy } from './hook-schedules.policy.js';
import { HookSchedulesRepository } from './hook-schedules.repository.js';
import { HookSchedulesSettings } from './hook-schedules.settings.js';

const MAX_NAME_BYTES = 64;
const MAX_TEXT_BYTES = 4_000;

/** The use cases of hook schedules, each on behalf of an actor. */
@Injectable()
export class HookSchedulesService {
  constructor(
    private readonly repository: HookSchedulesRepository,
    private readonly policy: HookSchedulesPolicy,
    private readonly teams: TeamsService,
    private readonly hooks: IncomingHooksService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly settings: HookSchedulesSettings,
  ) {}

  async create(actor: Actor, input: CreateHookScheduleDto): Promise<HookSchedule> {
    await this.policy.requireManage(actor, input.team_id);
    this.requireEnabled();
    await this.teams.get(input.team_id);
    requireValidName(input.display_name);
    requireValidPost(input);
    const hook = await this.hooks.get(actor, input.hook_id); // the caller may use it
    if (hook.teamId !== input.team_id) throw new InvalidBodyParam('hook_id', 'it is in another team');
    const now = this.clock.now();
    const schedule: HookSchedule = {
      id: newId(),
      createAt: now,
      updateAt: now,
      deleteAt: 0,
      teamId: input.team_id,
      creatorId: actor.userId,
      displayName: input.display_name,
      hookId: hook.id,
      text: input.text,
      postAt: input.post_at,
      postedAt: 0,
    };
    await this.unitOfWork.run(async () => {
      await this.repository.insert(schedule);
      await this.events.publish(new HookScheduleCreated(schedule.id));
    });
    return schedule;
  }

  async list(actor: Actor, teamId: string | undefined, page: Page): Promise<HookSchedule[]> {
    await this.policy.requireManage(actor, teamId);
    this.requireEnabled();
    return this.repository.list(teamId, page);
  }

  async get(actor: Actor, id: string): Promise<HookSchedule> {
    this.requireEnabled();
    const schedule = await this.repository.find(id);
    if (!schedule) throw hookScheduleNotFound();
    await this.policy.requireManage(actor, schedule.teamId);
    return schedule;
  }

  async update(actor: Actor, id: string, input: UpdateHookScheduleDto): Promise<HookSchedule> {
    const schedule = await this.get(actor, id);
    requireValidName(input.display_name);
    const change = {
      displayName: input.display_name,
      updateAt: Math.max(this.clock.now(), schedule.updateAt + 1),
    };
    await this.save(id, change);
    return { ...schedule, ...change };
  }

  async delete(actor: Actor, id: string): Promise<void> {
    await this.get(actor, id);
    const deleteAt = this.clock.now();
    await this.save(id, { deleteAt, updateAt: deleteAt });
  }

  private async save(id: string, change: Partial<HookSchedule>): Promise<void> {
    if (!(await this.repository.update(id, change))) throw hookScheduleNotFound();
  }

  private requireEnabled(): void {
    if (!this.settings.enableHookSchedules) throw hookSchedulesDisabled();
  }
}

function requireValidPost(input: CreateHookScheduleDto): void {
  if (input.text === '' || byteLength(input.text) > MAX_TEXT_BYTES)
    throw new InvalidBodyParam('text', `it must have 1 to ${MAX_TEXT_BYTES} bytes`);
  if (!Number.isSafeInteger(input.post_at))
    throw new InvalidBodyParam('post_at', 'it must be a time in milliseconds');
}

function requireValidName(name: string): void {
  if (name === '' || byteLength(name) > MAX_NAME_BYTES) throw invalidHookScheduleName();
}
