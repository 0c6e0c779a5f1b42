import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { deliveryPage, type PageFilter, type PageScope } from './delivery-page.js';
import { Delivery } from './delivery.entity.js';

const CANDIDATE = { id: true, seq: true, lane: true, lastCode: true, lastError: true } as const;

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
