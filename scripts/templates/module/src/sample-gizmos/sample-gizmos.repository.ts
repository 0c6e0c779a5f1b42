import { Injectable } from '@nestjs/common';
import { definedOnly } from '../platform/common/defined-only.js';
import type { Page } from '../platform/common/dto/params.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { SampleGizmo } from './sample-gizmo.entity.js';

/** The rows of sample gizmos. Deleted ones are kept, and never found. */
@Injectable()
export class SampleGizmosRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  find(id: string): Promise<SampleGizmo | null> {
    return this.gizmos.findOneBy({ id, deleteAt: 0 });
  }

  /** Those of a team, or of every team; oldest first. */
  list(teamId: string | undefined, { offset, perPage }: Page): Promise<SampleGizmo[]> {
    if (perPage === 0) return Promise.resolve([]);
    return this.gizmos.find({
      where: { deleteAt: 0, ...definedOnly({ teamId }) },
      order: { createAt: 'ASC', id: 'ASC' },
      skip: offset,
      take: perPage,
    });
  }

  async insert(gizmo: SampleGizmo): Promise<void> {
    await this.gizmos.insert(gizmo);
  }

  /** False when it is gone meanwhile. */
  async update(id: string, change: Partial<SampleGizmo>): Promise<boolean> {
    const { affected } = await this.gizmos.update({ id, deleteAt: 0 }, change);
    return affected === 1;
  }

  private get gizmos() {
    return this.unitOfWork.manager.getRepository(SampleGizmo);
  }
}
