import { Injectable } from '@nestjs/common';
import { dialect } from '../../platform/config/settings.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { CallRate } from './delivery.entity.js';

const SECOND = 1_000_000;
/** The time in microseconds. Processes that share a database use its clock, because their own may differ. */
const NOW = dialect === 'mysql' ? 'CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED)' : ':now';

/**
 * The rates of owners with a limited number of calls per second: token buckets that hold one second's calls, exact
 * across processes. Each call reserves its time, so none has to ask twice.
 */
@Injectable()
export class CallRates {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Starts, changes or ends the limit of an owner, and forgets reserved times. Joins the caller's unit of work. */
  async limit(ownerId: string, isLimited: boolean): Promise<void> {
    await this.rates.delete({ ownerId });
    if (isLimited) await this.rates.insert({ ownerId, usedUntil: 0 });
  }

  /** Reserves a call and returns in how many milliseconds it may start; 0 for an owner without a limit. */
  reserve(ownerId: string, perSecond: number): Promise<number> {
    const step = Math.ceil(SECOND / perSecond);
    return this.unitOfWork.run(async () => {
      const now = Date.now() * 1_000;
      await this.rates
        .createQueryBuilder()
        .update()
        .set({ usedUntil: () => `CASE WHEN used_until > ${NOW} THEN used_until ELSE ${NOW} END + :step` })
        .where({ ownerId })
        .setParameters({ now, step })
        .execute();
      const rate = await this.rates
        .createQueryBuilder('rate')
        .select(`rate.usedUntil - ${NOW}`, 'ahead')
        .where({ ownerId })
        .setParameters({ now })
        .getRawOne<{ readonly ahead: number | string }>();
      return Math.max(0, (Number(rate?.ahead ?? 0) - SECOND) / 1_000);
    }, true);
  }

  private get rates() {
    return this.unitOfWork.manager.getRepository(CallRate);
  }
}
