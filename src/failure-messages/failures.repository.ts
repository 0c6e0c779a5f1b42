import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { isDuplicateKey } from '../platform/database/database-errors.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Failure } from './failure.entity.js';

export type FailureKey = Pick<Failure, 'subjectId' | 'endpoint'>;

/** Queries for failures. */
@Injectable()
export class FailuresRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  listAll(): Promise<Failure[]> {
    return this.failures.find();
  }

  find({ subjectId, endpoint }: FailureKey): Promise<Failure | null> {
    return this.failures.findOneBy({ subjectId, endpoint });
  }

  /** Stores a failure or its next stage. False if another process has stored this stage or a later one. */
  async advance(failure: Failure): Promise<boolean> {
    const { subjectId, endpoint, stage } = failure;
    const { affected } = await this.failures.update({ subjectId, endpoint, stage: LessThan(stage) }, failure);
    if (affected === 1) return true;
    try {
      await this.failures.insert(failure);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** False if another process has deleted it. */
  async delete({ subjectId, endpoint }: FailureKey): Promise<boolean> {
    const { affected } = await this.failures.delete({ subjectId, endpoint });
    return affected === 1;
  }

  async deleteOf(subjectId: string): Promise<void> {
    await this.failures.delete({ subjectId });
  }

  private get failures() {
    return this.unitOfWork.manager.getRepository(Failure);
  }
}
