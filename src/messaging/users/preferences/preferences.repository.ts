import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { Preference } from '../preference.entity.js';

/** The number and total size in bytes of a user's preferences. */
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
    const [row] = await this.unitOfWork.manager.query<Record<keyof PreferencesTotal, number | string>[]>(
      `SELECT COUNT(*) AS count,
         COALESCE(SUM(OCTET_LENGTH(category) + OCTET_LENGTH(name) + OCTET_LENGTH(value)), 0) AS bytes
       FROM preferences WHERE user_id = ?`,
      [userId],
    );
    return { count: Number(row?.count), bytes: Number(row?.bytes) };
  }

  /** The stored preferences with the same keys. */
  listSame(preferences: readonly Preference[]): Promise<Preference[]> {
    const where = preferences.map(({ userId, category, name }) => ({ userId, category, name }));
    return this.preferences.find({ where });
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
