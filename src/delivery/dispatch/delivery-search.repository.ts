import { Injectable } from '@nestjs/common';
import { In, MoreThanOrEqual } from 'typeorm';
import { sequenceFrom } from '../../platform/common/sequence.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { deliveryPage, type PageFilter, type PageScope } from './delivery-page.js';
import { Delivery, type DeliveryStatus } from './delivery.entity.js';

const CANDIDATE = {
  id: true,
  seq: true,
  kind: true,
  ownerId: true,
  lane: true,
  lastCode: true,
  lastError: true,
} as const;

/** The fields of a delivery that a search filters by. */
export type Candidate = Pick<Delivery, keyof typeof CANDIDATE>;

/** The queries for searching deliveries. */
@Injectable()
export class DeliverySearchRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Lists the next deliveries that may match, newest first. */
  listCandidates(filter: PageFilter, limit: number): Promise<Candidate[]> {
    const { sql, parameters } = deliveryPage(filter, 'DESC', limit);
    return this.deliveries
      .createQueryBuilder('delivery')
      .select(Object.keys(CANDIDATE).map((name) => `delivery.${name}`))
      .innerJoin(`(${sql})`, 'page', 'page.id = delivery.id')
      .setParameters(parameters)
      .orderBy('delivery.seq', 'DESC')
      .getMany();
  }

  /** Returns the statuses in which a lane has at most `limit` deliveries. Counting stops beyond the limit. */
  async listRareStatuses(
    lane: string,
    statuses: readonly DeliveryStatus[],
    limit: number,
  ): Promise<DeliveryStatus[]> {
    const counts = statuses.map(
      (status) => `SELECT '${status}' AS status, COUNT(*) AS count FROM
         (SELECT status FROM deliveries WHERE status = '${status}' AND lane = ? LIMIT ${limit + 1}) AS some_rows`,
    );
    const rows = await this.unitOfWork.manager.query<{ status: DeliveryStatus; count: number | string }[]>(
      counts.join(' UNION ALL '),
      statuses.map(() => lane),
    );
    return rows.filter(({ count }) => Number(count) <= limit).map(({ status }) => status);
  }

  /** The newest deliveries of a kind that were created at or after the given time. */
  listCreated(kind: string, since: number, limit: number): Promise<Pick<Delivery, 'id' | 'createAt'>[]> {
    const page = { kind, statuses: [], sinceSeq: sequenceFrom(since) };
    const { sql, parameters } = deliveryPage(page, 'DESC', limit);
    return this.deliveries
      .createQueryBuilder('delivery')
      .select(['delivery.id', 'delivery.createAt'])
      .innerJoin(`(${sql})`, 'page', 'page.id = delivery.id')
      .setParameters(parameters)
      .orderBy('delivery.seq', 'DESC')
      .getMany();
  }

  /** Among the latest deliveries settled at or after the given time, returns those of a kind. */
  async listSettledIds(kind: string, since: number, limit: number): Promise<string[]> {
    const rows = await this.deliveries.find({
      select: { id: true, kind: true },
      where: { finishAt: MoreThanOrEqual(since) },
      order: { finishAt: 'DESC', seq: 'DESC' },
      take: limit,
    });
    return rows.filter((row) => row.kind === kind).map(({ id }) => id);
  }

  findCandidate(scope: PageScope, id: string): Promise<Candidate | null> {
    return this.deliveries.findOne({ select: CANDIDATE, where: { ...scope, id } });
  }

  /** Lists deliveries newest first, without the shared parts of their bodies. */
  async listByIds(ids: readonly string[]): Promise<Delivery[]> {
    if (ids.length === 0) return [];
    const found = await this.deliveries.findBy({ id: In([...ids]) });
    return found.sort((one, other) => other.seq - one.seq);
  }

  private get deliveries() {
    return this.unitOfWork.manager.getRepository(Delivery);
  }
}
