import { Injectable } from '@nestjs/common';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import type { DeliveryAttempt } from '../../delivery/dispatch/delivery.entity.js';
import {
  type DeliverySearch,
  DeliverySearchService,
  type ShownDelivery,
} from '../../delivery/dispatch/delivery-search.service.js';
import { POST_DELETED } from '../../delivery/dispatch/delivery.errors.js';
import type { Actor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { TeamsService } from '../../messaging/teams/teams.service.js';
import { InvalidUrlParam, permissionDenied } from '../../platform/common/errors/common-errors.js';
import { bodyBytesOf, requestHeadersOf } from '../delivery/call-headers.js';
import { OutgoingHookKind } from '../delivery/outgoing-hook.kind.js';
import { payloadOf } from '../delivery/payload.js';
import { OUTGOING_HOOK } from '../delivery/triggered-deliveries.js';
import { EventRights } from '../events/event-rights.js';
import { OutgoingHookNotFound } from '../outgoing-hooks.errors.js';
import { OutgoingHooksRepository } from '../outgoing-hooks.repository.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import { type AllDeliveriesQuery, type DeliveriesQuery, searchOf } from './delivery-filters.js';
import {
  DeliveryAttemptDto,
  type DeliveryDetailDto,
  DeliveryDto,
  type DeliveryListDto,
  type PlacedDeliveryListDto,
} from './delivery.dto.js';
import type { SentRequestDto } from './test-delivery.dto.js';

/**
 * The delivery log of a hook (docs/contract/outgoing-webhooks.md#delivery-log), and of all
 * (docs/contract/outgoing-webhooks.md#all-deliveries).
 */
@Injectable()
export class DeliveryLogService {
  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly repository: OutgoingHooksRepository,
    private readonly deliveries: DeliveriesService,
    private readonly search: DeliverySearchService,
    private readonly kind: OutgoingHookKind,
    private readonly teams: TeamsService,
    private readonly rights: EventRights,
  ) {}

  /** Lists a hook's deliveries, newest first, even if the hook is deleted. Throws InvalidUrlParam. */
  async list(actor: Actor, hookId: string, query: DeliveriesQuery, limit: number): Promise<DeliveryListDto> {
    await this.hooks.getEvenDeleted(actor, hookId);
    const missing = 'the delivery of this webhook no longer exists';
    const wanted = { scope: { ownerId: hookId }, ...searchOf(query) };
    const { deliveries, nextCursor } = await this.find(wanted, query.cursor, limit, missing);
    return { deliveries: deliveries.map((delivery) => DeliveryDto.from(delivery)), next_cursor: nextCursor };
  }

  /** Newest first, including those of deleted webhooks. Throws InvalidUrlParam, OutgoingHookNotFound. */
  async listAll(query: AllDeliveriesQuery, limit: number): Promise<PlacedDeliveryListDto> {
    const { hookId } = query;
    this.hooks.requireEnabled();
    const wanted = searchOf(query);
    if (hookId !== undefined && !(await this.repository.findEvenDeleted(hookId)))
      throw new OutgoingHookNotFound();
    const scope = hookId === undefined ? { kind: OUTGOING_HOOK } : { ownerId: hookId };
    const missing = 'the delivery no longer exists';
    const { deliveries, nextCursor } = await this.find({ scope, ...wanted }, query.cursor, limit, missing);
    return { deliveries: await this.placed(deliveries), next_cursor: nextCursor };
  }

  /** Payload and replies are empty if the caller cannot read the channel or the message is deleted. */
  async get(actor: Actor, hookId: string, deliveryId: string): Promise<DeliveryDetailDto> {
    await this.hooks.getEvenDeleted(actor, hookId);
    const delivery = await this.deliveries.get(hookId, deliveryId);
    const attempts = await this.deliveries.attemptsOf(deliveryId);
    const [found] = await this.deliveries.shown([delivery]);
    const shown = found ?? { delivery, status: 'pending', pausedUntil: 0 };
    const isDeleted = delivery.reason === POST_DELETED;
    const isShown = !isDeleted && (await this.rights.canSee(actor, delivery.body));
    // The body length would reveal the length of the message.
    const bodyBytes = isShown ? bodyBytesOf(delivery) : undefined;
    return {
      ...DeliveryDto.from(shown),
      payload: isShown ? payloadOf(delivery.body) : {},
      content_type: delivery.contentType,
      attempt_list: attempts.map((attempt) => {
        const headers = requestHeadersOf(delivery, attempt, bodyBytes);
        return DeliveryAttemptDto.from(isShown ? attempt : withoutReply(attempt), headers);
      }),
    };
  }

  /** The request as it would be sent now. Throws `permissionDenied`, `deliveryIsFinal`, `secretsUnreadable`. */
  async request(actor: Actor, hookId: string, deliveryId: string): Promise<SentRequestDto> {
    const hook = await this.hooks.getForUse(actor, hookId);
    const delivery = await this.deliveries.getRepeatable(hookId, deliveryId);
    if (!(await this.rights.canSee(actor, delivery.body)))
      throw permissionDenied(CommonPermission.ReadChannelContent);
    const { shownHeaders: headers, body } = this.kind.callForUser(hook, delivery);
    return { method: 'POST', url: delivery.url, headers, body };
  }

  private async find(
    wanted: Omit<DeliverySearch, 'cursor'>,
    lastId: string | undefined,
    limit: number,
    missing: string,
  ): Promise<{ deliveries: ShownDelivery[]; nextCursor: string }> {
    const cursor = lastId ? await this.search.findEnd(wanted.scope, lastId) : undefined;
    if (cursor === null) throw new InvalidUrlParam('cursor', missing);
    const found = await this.search.find({ ...wanted, cursor }, limit);
    return { deliveries: await this.deliveries.shown(found.deliveries), nextCursor: found.lastId };
  }

  private async placed(deliveries: readonly ShownDelivery[]): Promise<PlacedDeliveryListDto['deliveries']> {
    const ownerIds = new Set(deliveries.map((one) => one.delivery.ownerId));
    const owners = await this.repository.listEvenDeleted([...ownerIds]);
    const hooks = new Map(owners.map((hook) => [hook.id, hook]));
    const teamIds = [...new Set(owners.map(({ teamId }) => teamId))];
    const teams = new Map(
      await Promise.all(teamIds.map(async (id) => [id, await this.teams.find(id)] as const)),
    );
    return deliveries.map((one) => {
      const hook = hooks.get(one.delivery.ownerId);
      const team = teams.get(hook?.teamId ?? '');
      return {
        ...DeliveryDto.from(one),
        hook_display_name: hook?.displayName ?? '',
        team_id: hook?.teamId ?? '',
        team_name: team?.name ?? '',
        team_display_name: team?.displayName ?? '',
      };
    });
  }
}

function withoutReply(attempt: DeliveryAttempt): DeliveryAttempt {
  return { ...attempt, reply: '', detail: { ...attempt.detail, headers: {} } };
}
