import { Injectable } from '@nestjs/common';
import type { Actor } from '../messaging/permissions/actor.js';
import { TeamRecords } from '../messaging/teams/team-records.js';
import { Clock } from '../platform/common/clock.js';
import type { Page } from '../platform/common/dto/params.js';
import { newId } from '../platform/common/ids.js';
import { byteLength } from '../platform/common/utf8.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { EventBus } from '../platform/events/event-bus.js';
import type { CreateSampleGizmoDto } from './dto/create-sample-gizmo.dto.js';
import type { UpdateSampleGizmoDto } from './dto/update-sample-gizmo.dto.js';
import type { SampleGizmo } from './sample-gizmo.entity.js';
import { invalidSampleGizmoName, sampleGizmoNotFound, sampleGizmosDisabled } from './sample-gizmos.errors.js';
import { SampleGizmoCreated } from './sample-gizmos.events.js';
import { SampleGizmosPolicy } from './sample-gizmos.policy.js';
import { SampleGizmosRepository } from './sample-gizmos.repository.js';
import { SampleGizmosSettings } from './sample-gizmos.settings.js';

const MAX_NAME_BYTES = 64;

/** What can be done with sample gizmos, each on behalf of an actor. */
@Injectable()
export class SampleGizmosService {
  constructor(
    private readonly repository: SampleGizmosRepository,
    private readonly policy: SampleGizmosPolicy,
    private readonly teams: TeamRecords,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly settings: SampleGizmosSettings,
  ) {}

  async create(actor: Actor, input: CreateSampleGizmoDto): Promise<SampleGizmo> {
    await this.policy.requireManage(actor, input.team_id);
    this.requireEnabled();
    await this.teams.get(input.team_id);
    requireValidName(input.display_name);
    const now = this.clock.now();
    const gizmo: SampleGizmo = {
      id: newId(),
      createAt: now,
      updateAt: now,
      deleteAt: 0,
      teamId: input.team_id,
      creatorId: actor.userId,
      displayName: input.display_name,
    };
    await this.unitOfWork.run(async () => {
      await this.repository.insert(gizmo);
      await this.events.publish(new SampleGizmoCreated(gizmo.id));
    });
    return gizmo;
  }

  async list(actor: Actor, teamId: string | undefined, page: Page): Promise<SampleGizmo[]> {
    await this.policy.requireManage(actor, teamId);
    this.requireEnabled();
    return this.repository.list(teamId, page);
  }

  async get(actor: Actor, id: string): Promise<SampleGizmo> {
    this.requireEnabled();
    const gizmo = await this.repository.find(id);
    if (!gizmo) throw sampleGizmoNotFound();
    await this.policy.requireManage(actor, gizmo.teamId);
    return gizmo;
  }

  async update(actor: Actor, id: string, input: UpdateSampleGizmoDto): Promise<SampleGizmo> {
    const gizmo = await this.get(actor, id);
    requireValidName(input.display_name);
    const change = {
      displayName: input.display_name,
      updateAt: Math.max(this.clock.now(), gizmo.updateAt + 1),
    };
    await this.save(id, change);
    return { ...gizmo, ...change };
  }

  async delete(actor: Actor, id: string): Promise<void> {
    await this.get(actor, id);
    const deleteAt = this.clock.now();
    await this.save(id, { deleteAt, updateAt: deleteAt });
  }

  private async save(id: string, change: Partial<SampleGizmo>): Promise<void> {
    if (!(await this.repository.update(id, change))) throw sampleGizmoNotFound();
  }

  private requireEnabled(): void {
    if (!this.settings.enableSampleGizmos) throw sampleGizmosDisabled();
  }
}

function requireValidName(name: string): void {
  if (name === '' || byteLength(name) > MAX_NAME_BYTES) throw invalidSampleGizmoName();
}
