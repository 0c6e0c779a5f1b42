import { Injectable } from '@nestjs/common';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import type { ShownDelivery } from '../../delivery/dispatch/shown-status.js';
import type { PageScope } from '../../delivery/dispatch/delivery-page.js';
import { DeliverySearchService } from '../../delivery/dispatch/delivery-search.service.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import type { Team } from '../../messaging/teams/team.entity.js';
import { TeamRecords } from '../../messaging/teams/team-records.js';
import { InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { OUTGOING_HOOK } from '../delivery/triggered-deliveries.js';
import { OutgoingHookNotFound, outgoingHooksDisabled } from '../outgoing-hooks.errors.js';
import { type HookName, OutgoingHooksRepository } from '../outgoing-hooks.repository.js';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import { type AllDeliveriesQuery, codesOf, errorOf, laneOf } from './all-deliveries.dto.js';
import { statusesOf, timeOf } from './test-delivery.dto.js';

/** A delivery with its webhook and team. */
export interface PlacedDelivery extends ShownDelivery {
  readonly hook: HookName | undefined;
  readonly team: Team | null;
}

/** One page of deliveries; `nextCursor` is empty on the last one. */
export interface PlacedDeliveryPage {
  readonly deliveries: readonly PlacedDelivery[];
  readonly nextCursor: string;
}

/** The deliveries of all outgoing webhooks, for administrators (docs/contract/outgoing-webhooks.md#all-deliveries). */
@Injectable()
export class AllDeliveriesService {
  constructor(
    private readonly hooks: OutgoingHooksRepository,
    private readonly search: DeliverySearchService,
    private readonly deliveries: DeliveriesService,
    private readonly teams: TeamRecords,
    private readonly settings: OutgoingHooksSettings,
  ) {}

  /** Newest first, including those of deleted webhooks. Throws InvalidUrlParam, OutgoingHookNotFound. */
  async list(query: AllDeliveriesQuery, limit: number): Promise<PlacedDeliveryPage> {
    if (!this.settings.enableOutgoingWebhooks) throw outgoingHooksDisabled();
    const { id, hookId } = query;
    const narrowed = {
      id,
      statuses: statusesOf(query.status),
      lane: laneOf(query.endpoint),
      error: errorOf(query.error),
      codes: codesOf(query.httpStatus),
      since: timeOf('since', query.since),
      before: timeOf('before', query.before),
    };
    if (hookId !== undefined && !(await this.hooks.findEvenDeleted(hookId))) throw new OutgoingHookNotFound();
    const scope = hookId === undefined ? { kind: OUTGOING_HOOK } : { ownerId: hookId };
    const cursor = await this.endOf(scope, query.cursor);
    const { deliveries, lastId } = await this.search.find({ scope, ...narrowed, cursor }, limit);
    return { deliveries: await this.placed(deliveries), nextCursor: lastId };
  }

  private async endOf(
    scope: PageScope,
    cursor: string | undefined,
  ): Promise<Pick<Delivery, 'seq'> | undefined> {
    if (cursor === undefined) return undefined;
    const end = await this.search.findEnd(scope, cursor);
    if (!end) throw new InvalidUrlParam('cursor', 'there is no such delivery any more');
    return end;
  }

  private async placed(deliveries: readonly Delivery[]): Promise<PlacedDelivery[]> {
    const [shown, names] = await Promise.all([
      this.deliveries.shown(deliveries),
      this.hooks.listNames([...new Set(deliveries.map(({ ownerId }) => ownerId))]),
    ]);
    const hooks = new Map(names.map((hook) => [hook.id, hook]));
    const teams = new Map<string, Promise<Team | null>>();
    for (const { teamId } of names) if (!teams.has(teamId)) teams.set(teamId, this.teams.find(teamId));
    return Promise.all(
      shown.map(async (one) => {
        const hook = hooks.get(one.delivery.ownerId);
        const team = (await teams.get(hook?.teamId ?? '')) ?? null;
        return { ...one, hook, team };
      }),
    );
  }
}
