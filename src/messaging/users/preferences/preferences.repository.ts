import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { Preference } from '../preference.entity.js';

/** The queries on preferences. */
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

  count(userId: string): Promise<number> {
    return this.preferences.countBy({ userId });
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
