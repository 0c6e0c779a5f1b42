import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { sequenceFrom } from '../../platform/common/sequence.js';
import {
  type Candidate,
  DeliveriesReadModel,
  hasResult,
  type PageFilter,
  type PageScope,
  type ResultFilter,
} from './deliveries.read-model.js';
import { type Delivery, DELIVERY_STATUSES, OPEN_STATUSES } from './delivery.entity.js';
import type { LaneBlock } from './lanes.read-model.js';
import { DispatcherService } from './dispatcher.service.js';
import { LeasesRepository } from './pull/leases.repository.js';

/** The API statuses. `in_flight`: the call is in progress. */
export const SHOWN_STATUSES = ['pending', 'in_flight', 'delivered', 'failed', 'cancelled'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];
/** A delivery with its API status. */
export interface ShownDelivery {
  readonly delivery: Delivery;
  readonly status: ShownStatus;
  /** Until when a pause of its endpoint delays the delivery; 0 if it is not delayed. */
  readonly pausedUntil: number;
  /** The delivery that blocks its ordered lane, perhaps itself. */
  readonly blockedBy?: LaneBlock | undefined;
}

/** The statuses that lists can be filtered by. `retrying`: `pending` after a failed call. */
export const WANTED_STATUSES = [...SHOWN_STATUSES, 'retrying'] as const;
/** A status that lists can be filtered by. */
export type WantedStatus = (typeof WANTED_STATUSES)[number];

/** The stored statuses to select; none means all. Asks what is in flight only if it matters. */
export async function storedStatuses(
  wanted: readonly WantedStatus[],
  inFlight: () => Promise<readonly string[]>,
): Promise<Pick<PageFilter, 'statuses' | 'openIds' | 'exceptIds' | 'anyRetrying'>> {
  const isWanted = (status: WantedStatus): boolean => wanted.includes(status);
  const statuses = wanted.flatMap((status) =>
    status === 'pending' || status === 'in_flight' ? OPEN_STATUSES : [status],
  );
  const isWaitingWanted = isWanted('pending') || isWanted('retrying');
  if (isWanted('in_flight') ? isWanted('pending') : !isWaitingWanted) return { statuses };
  const ids = await inFlight();
  if (!isWanted('in_flight')) return { statuses, exceptIds: ids };
  return { statuses, openIds: ids, anyRetrying: isWanted('retrying') };
}

/** The `seq` range of a page. Times are in epoch milliseconds; `cursor` is the end of the previous page. */
export function seqRange(
  since: number | undefined,
  before: number | undefined,
  cursor: Pick<Delivery, 'seq'> | undefined,
): Pick<PageFilter, 'sinceSeq' | 'beforeSeq'> {
  const ends = [cursor?.seq ?? [], before === undefined ? [] : sequenceFrom(before)].flat();
  return {
    ...(since === undefined ? {} : { sinceSeq: sequenceFrom(since) }),
    ...(ends.length === 0 ? {} : { beforeSeq: Math.min(...ends) }),
  };
}

export const MAX_EXAMINED_PER_SEARCH = 5_000;
const BATCH_SIZE = 500;
/** If a lane has at most this many deliveries, all of them are examined instead of those of all lanes. */
const MAX_RARE = BATCH_SIZE;

/** Selects deliveries. Undefined fields are ignored. */
export interface DeliverySearch extends ResultFilter {
  readonly scope: PageScope;
  readonly id: string | undefined;
  /** Empty means all. */
  readonly statuses: readonly WantedStatus[];
  readonly since: number | undefined;
  readonly before: number | undefined;
  /** The last delivery of the previous page. */
  readonly cursor: Pick<Delivery, 'seq'> | undefined;
}

/** The deliveries found, newest first. */
export interface FoundDeliveries {
  readonly deliveries: readonly Delivery[];
  /** The last delivery examined that could be in the list; empty on the last page. */
  readonly lastId: string;
}

/** Recently created and recently settled deliveries. */
export interface RecentDeliveries {
  readonly created: readonly Pick<Delivery, 'id' | 'createAt'>[];
  readonly settledIds: readonly string[];
}

/**
 * Searches the deliveries of all owners. Order and status are indexed, and so are lanes with few deliveries.
 * Other lanes and results are searched for among a bounded number of deliveries, so a page may be short or
 * even empty without being the last.
 */
@Injectable()
export class DeliverySearchService {
  constructor(
    private readonly repository: DeliveriesReadModel,
    private readonly dispatcher: DispatcherService,
    private readonly leases: LeasesRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns one page. Pages do not shift when new deliveries are created. */
  async find(search: DeliverySearch, limit: number): Promise<FoundDeliveries> {
    const filter = limit === 0 ? undefined : await this.filterOf(search);
    if (!filter) return { deliveries: [], lastId: '' };
    const { ids, lastId } = await this.look(search, filter, limit);
    return { deliveries: await this.repository.listByIds(ids), lastId };
  }

  /** The delivery at which a page ended; null if it does not exist or could not be in this list. */
  findEnd(scope: PageScope, id: string): Promise<Pick<Delivery, 'seq'> | null> {
    return this.repository.findCandidate(scope, id);
  }

  /** The latest deliveries of a kind created or settled since a given time, up to a limit each. */
  async recent(kind: string, since: number, limit: number): Promise<RecentDeliveries> {
    const [created, settledIds] = await Promise.all([
      this.repository.listCreated(kind, since, limit),
      this.repository.listSettledIds(kind, since, limit),
    ]);
    return { created, settledIds };
  }

  private async look(
    search: DeliverySearch,
    filter: PageFilter,
    limit: number,
  ): Promise<{ ids: readonly string[]; lastId: string }> {
    const { scope, lane, error, codes } = search;
    const isSelective = lane !== undefined || error !== undefined || codes !== undefined;
    const size = isSelective ? BATCH_SIZE : limit + 1;
    const ids: string[] = [];
    let lastId = '';
    let range = {};
    for (let seen = 0; seen < MAX_EXAMINED_PER_SEARCH; seen += size) {
      const rows = await this.repository.listCandidates({ ...filter, ...range }, size);
      for (const row of rows.filter((each) => isOf(scope, each))) {
        if (ids.length === limit) return { ids, lastId };
        if (hasResult(search, row)) ids.push(row.id);
        lastId = row.id;
      }
      if (rows.length < size) return { ids, lastId: '' };
      range = { beforeSeq: rows.at(-1)?.seq };
    }
    return { ids, lastId };
  }

  /** The part of the search that has an index; undefined if nothing can match. */
  private async filterOf(search: DeliverySearch): Promise<PageFilter | undefined> {
    const { scope, id, lane, since, before, cursor } = search;
    const ownerId = 'ownerId' in scope ? scope.ownerId : undefined;
    const stored = await storedStatuses(search.statuses, async () => [
      ...(await this.dispatcher.inFlightOf(ownerId)),
      ...(await this.leases.listLeasedOf(ownerId, this.clock.now())),
    ]);
    const all = stored.statuses.length > 0 ? stored.statuses : DELIVERY_STATUSES;
    const statuses = all.filter((status) => status !== 'delivered' || mayBeDelivered(search));
    if (statuses.length === 0) return undefined;
    const filter = { ...scope, ...stored, statuses, ...seqRange(since, before, cursor) };
    if (id !== undefined) return { ...filter, id };
    if (lane === undefined) return filter;
    const rare = await this.repository.listRareStatuses(lane, statuses, MAX_RARE);
    return { ...filter, rare: { lane, statuses: rare } };
  }
}

/** Delivered means a 2xx and no error, so searches for failures can skip most deliveries. */
function mayBeDelivered({ error, codes }: DeliverySearch): boolean {
  return error === undefined && (codes === undefined || (codes[0] < 300 && codes[1] >= 200));
}

/** The few deliveries of a lane are read regardless of owner. */
function isOf(scope: PageScope, { ownerId, kind }: Candidate): boolean {
  return 'ownerId' in scope ? ownerId === scope.ownerId : kind === scope.kind;
}
