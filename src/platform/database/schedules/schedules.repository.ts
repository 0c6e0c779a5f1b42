import type { UnitOfWork } from '../unit-of-work.js';
import { ScheduleRow } from './schedule.entity.js';

/** A stored schedule. */
export type StoredSchedule = Omit<ScheduleRow, 'name'>;

/** Queries on schedules. */
export class SchedulesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The schedule with this name; created as due if missing. */
  async get(name: string): Promise<StoredSchedule> {
    const known = await this.schedules.findOneBy({ name });
    if (known) return known;
    const due: ScheduleRow = { name, nextAt: 0, runner: '' };
    await this.unitOfWork.run(() =>
      this.schedules.createQueryBuilder().insert().values(due).orIgnore().execute(),
    );
    return (await this.schedules.findOneBy({ name })) ?? due;
  }

  /** Claims the next run. Returns false if another process has already claimed it. */
  async claim(name: string, { nextAt }: StoredSchedule, next: StoredSchedule): Promise<boolean> {
    const { affected } = await this.unitOfWork.run(() => this.schedules.update({ name, nextAt }, next));
    return affected === 1;
  }

  private get schedules() {
    return this.unitOfWork.manager.getRepository(ScheduleRow);
  }
}
