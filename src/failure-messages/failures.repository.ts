import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Failure } from './failure.entity.js';

/** What failed: the key of a failure. */
export type FailureKey = Pick<Failure, 'subjectId' | 'endpoint'>;

/** The queries on failures. */
@Injectable()
export class FailuresRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  listAll(): Promise<Failure[]> {
    return this.failures.find();
  }

  find({ subjectId, endpoint }: FailureKey): Promise<Failure | null> {
    return this.failures.findOneBy({ subjectId, endpoint });
  }

  async save(failure: Failure): Promise<void> {
    await this.failures.save(failure);
  }

  async delete({ subjectId, endpoint }: FailureKey): Promise<void> {
    await this.failures.delete({ subjectId, endpoint });
  }

  async deleteOf(subjectId: string): Promise<void> {
    await this.failures.delete({ subjectId });
  }

  private get failures() {
    return this.unitOfWork.manager.getRepository(Failure);
  }
}
