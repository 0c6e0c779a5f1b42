import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { Preference } from '../preference.entity.js';

export interface PreferencesTotal {
  readonly count: number;
  readonly bytes: number;
}

/** Queries on preferences. */
@Injectable()
export class PreferencesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  list(userId: string): Promise<Preference[]> {
    return this.preferences.find({ where: { userId }, order: { category: 'ASC', name: 'ASC' } });
  }

  listByCategory(userId: string, category: string): Promise<Preference[]> {
    return this.preferences.find({ where: { userId, category }, order: { name: 'ASC' } });
  }

  find(userId: string, category: string, name: string): Promise<Preference | null> {
    return this.preferences.findOneBy({ userId, category, name });
  }

  async total(userId: string): Promise<PreferencesTotal> {
    const row = await this.preferences
      .createQueryBuilder('p')
      .select('COUNT(*)', 'count')
      .addSelect('SUM(OCTET_LENGTH(p.category) + OCTET_LENGTH(p.name) + OCTET_LENGTH(p.value))', 'bytes')
      .where('p.userId = :userId', { userId })
      .getRawOne<Record<keyof PreferencesTotal, number | string | null>>();
    return { count: Number(row?.count), bytes: Number(row?.bytes ?? 0) };
  }

  async put(preferences: readonly Preference[]): Promise<void> {
    await this.preferences.upsert([...preferences], ['userId', 'category', 'name']);
  }

  async delete({ userId, category, name }: Preference): Promise<void> {
    await this.preferences.delete({ userId, category, name });
  }

  private get preferences() {
    return this.unitOfWork.manager.getRepository(Preference);
  }
}
