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

/** What a search judges a delivery by. */
export type Candidate = Pick<Delivery, keyof typeof CANDIDATE>;

/** The queries of the search for deliveries. */
@Injectable()
export class DeliverySearchRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The next deliveries that may be meant, newest first. */
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

  /** Those of the statuses in which a lane has so many deliveries at most. Each is counted no further, along the index. */
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

  /** The newest deliveries of a kind that were created at that time or later. */
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

  /** Of the last deliveries that were settled at that time or later those of a kind. */
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

  /** Newest first, without the shared parts of their bodies. */
  async listByIds(ids: readonly string[]): Promise<Delivery[]> {
    if (ids.length === 0) return [];
    const found = await this.deliveries.findBy({ id: In([...ids]) });
    return found.sort((one, other) => other.seq - one.seq);
  }

  private get deliveries() {
    return this.unitOfWork.manager.getRepository(Delivery);
  }
}
