import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

@Injectable()
export class IdempotencyRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  find(keyHash: string): Promise<IdempotencyKey | null> {
    return this.keys.findOneBy({ keyHash });
  }

  async delete(keyHash: string): Promise<void> {
    await this.keys.delete({ keyHash });
  }

  /** Deletes up to `limit` keys older than `time` and returns the number deleted. */
  async deleteOlderThan(time: number, limit: number): Promise<number> {
    const old = await this.keys.find({
      select: { keyHash: true },
      where: { createAt: LessThan(time) },
      order: { createAt: 'ASC' },
      take: limit,
    });
    if (old.length > 0) await this.keys.delete({ keyHash: In(old.map((row) => row.keyHash)) });
    return old.length;
  }

  private get keys() {
    return this.unitOfWork.manager.getRepository(IdempotencyKey);
  }
}
