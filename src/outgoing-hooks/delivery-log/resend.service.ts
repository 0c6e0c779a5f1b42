import { Injectable } from '@nestjs/common';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import { deliveryNotFound, MESSAGE_LIMIT } from '../../delivery/dispatch/delivery.errors.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import { RecoveriesService, type RecoveryRequest } from '../../delivery/dispatch/recoveries.service.js';
import type { Actor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import {
  DatabaseUnavailable,
  InvalidBodyParam,
  permissionDenied,
  ValidationFailed,
} from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import type { JsonObject } from '../../platform/common/json.js';
import { isDatabaseUnavailable, isTransactionConflict } from '../../platform/database/database-errors.js';
import { OUTGOING_HOOK } from '../delivery/triggered-deliveries.js';
import { type OutgoingHook, urlsOf } from '../outgoing-hook.entity.js';
import { hookIsDisabled, hookIsPaused } from '../outgoing-hooks.errors.js';
import { OutgoingHooksPolicy } from '../outgoing-hooks.policy.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import { EventRights } from '../events/event-rights.js';
import { MAX_TIME, retryFilterOf } from './delivery-filters.js';
import { DeliveryDto } from './delivery.dto.js';
import {
  MAX_RETRIED,
  type RecoverDto,
  RecoveryDto,
  RetriedDeliveriesDto,
  RetriedDeliveryDto,
  type RetryDeliveriesDto,
} from './recovery.dto.js';

/** The scope of a retry: one webhook, or one endpoint, which the filter names. */
interface RetryPlace {
  readonly hookId?: string;
  readonly isOfEndpoint?: boolean;
}

/** Resends one or many deliveries (docs/contract/outgoing-webhooks.md#retry). */
@Injectable()
export class ResendService {
  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly policy: OutgoingHooksPolicy,
    private readonly events: EventRights,
    private readonly deliveries: DeliveriesService,
    private readonly recoveries: RecoveriesService,
  ) {}

  /** Throws `permissionDenied`, `hookIsDisabled`, `hookIsPaused`, or the errors of `DeliveriesService.retry`. */
  async retry(actor: Actor, hookId: string, deliveryId: string): Promise<DeliveryDto> {
    await this.hooks.getForUse(actor, hookId); // an unknown webhook is reported before an unknown delivery
    const delivery = await this.send(actor, await this.deliveries.get(hookId, deliveryId));
    const [status = 'pending'] = await this.deliveries.shownStatuses([delivery]);
    return DeliveryDto.from({ delivery, status, pausedUntil: 0 }); // the end of the pause is recorded a moment later
  }

  /** Throws the errors of `DeliveriesService.skip`. */
  async skip(actor: Actor, hookId: string, deliveryId: string): Promise<DeliveryDto> {
    await this.hooks.getForUse(actor, hookId);
    const delivery = await this.deliveries.skip(await this.deliveries.get(hookId, deliveryId));
    return DeliveryDto.from({ delivery, status: 'cancelled', pausedUntil: 0 });
  }

  /** Resends deliveries one by one by ids, or as a recovery by filter. Throws InvalidBodyParam. */
  async retryChosen(
    actor: Actor,
    wanted: RetryDeliveriesDto,
    place: RetryPlace = {},
  ): Promise<RetriedDeliveriesDto | RecoveryDto> {
    if (place.hookId !== undefined) await this.hooks.getForUse(actor, place.hookId);
    const { dry_run: isDryRun } = wanted;
    const ids = wanted.ids ?? undefined; // null counts as absent
    const filter = wanted.filter ?? undefined;
    this.hooks.requireEnabled();
    if (filter === undefined) {
      if (isDryRun) throw new InvalidBodyParam('dry_run', 'it requires a filter');
      if (place.isOfEndpoint) throw new InvalidBodyParam('filter');
      if (ids === undefined) throw new InvalidBodyParam('ids', 'either ids or filter must be given');
      return this.retryMany(actor, ids, place.hookId);
    }
    if (ids !== undefined) throw new InvalidBodyParam('filter', 'either ids or filter must be given');
    return this.retryMatching(actor, filter, isDryRun, place);
  }

  private async retryMatching(
    actor: Actor,
    filter: JsonObject,
    isDryRun: boolean,
    { hookId, isOfEndpoint = false }: RetryPlace,
  ): Promise<RecoveryDto> {
    const { hookId: named, since, before, ...rest } = retryFilterOf(filter);
    if (hookId !== undefined && named !== undefined && named !== hookId)
      throw new InvalidBodyParam('filter.hook_id', 'it must be the webhook of the path');
    if (isOfEndpoint && rest.lane === undefined) throw new InvalidBodyParam('filter.endpoint');
    const ownerId = hookId ?? named ?? '';
    if (ownerId !== '') await this.requireReady(await this.hooks.getForUse(actor, ownerId));
    else if (before === undefined && since === 0 && Object.keys(rest).length === 0)
      throw new InvalidBodyParam('filter', 'it must have at least one field');
    const kind = ownerId === '' ? { kind: OUTGOING_HOOK } : {};
    return this.recoverOrCount({ ownerId, since, before, filter: { ...kind, ...rest } }, isDryRun);
  }

  /** Dry runs only count. Throws `hookIsDisabled`, `hookIsPaused`, InvalidBodyParam, `recoveryIsRunning`. */
  async recover(actor: Actor, hookId: string, input: RecoverDto): Promise<RecoveryDto> {
    const { since, dry_run: isDryRun } = input;
    const hook = await this.hooks.getForUse(actor, hookId);
    if (since === undefined || since < 0 || since > MAX_TIME)
      throw new InvalidBodyParam('since', 'it must be milliseconds since the epoch');
    await this.requireReady(hook);
    return this.recoverOrCount({ ownerId: hookId, since }, isDryRun);
  }

  async listRecoveries(actor: Actor, hookId = ''): Promise<RecoveryDto[]> {
    if (hookId !== '') await this.hooks.getEvenDeleted(actor, hookId);
    return (await this.recoveries.list(hookId)).map((recovery) => RecoveryDto.from(recovery));
  }

  async stopRecovery(actor: Actor, recoveryId: string, hookId = ''): Promise<RecoveryDto> {
    if (hookId !== '') await this.hooks.getForUse(actor, hookId);
    return RecoveryDto.from(await this.recoveries.stop(hookId, recoveryId));
  }

  /** A dry run has no id because it is not stored. */
  private async recoverOrCount(request: RecoveryRequest, isDryRun: boolean): Promise<RecoveryDto> {
    if (!isDryRun) return RecoveryDto.from(await this.recoveries.start(request));
    const { ownerId, since } = request;
    const counts = await this.recoveries.count(request);
    const none = { id: '', requeued: 0, createAt: 0, finishAt: 0, isStopped: false };
    return RecoveryDto.from({ ownerId, since, ...counts, ...none });
  }

  /** If the server fails after some were sent, the rest report that error. Throws InvalidBodyParam. */
  private async retryMany(
    actor: Actor,
    given: readonly string[],
    hookId: string | undefined,
  ): Promise<RetriedDeliveriesDto> {
    if (given.length === 0 || given.length > MAX_RETRIED)
      throw new InvalidBodyParam('ids', `it must have 1 to ${MAX_RETRIED} items`);
    if (!given.every(isId)) throw new InvalidBodyParam('ids', 'each must be the id of a delivery');
    const ids = [...new Set(given)];
    // Load all of them up front: a concurrent retry of the same delivery is still detected when it is sent.
    const found = await this.deliveries.listByIds(OUTGOING_HOOK, ids);
    const own = found.filter(({ ownerId }) => hookId === undefined || ownerId === hookId);
    const deliveries = new Map(own.map((delivery) => [delivery.id, delivery]));
    const results: RetriedDeliveryDto[] = [];
    let outage: AppError | undefined;
    for (const id of ids) {
      const error = outage ?? (await this.refusalOf(actor, deliveries.get(id)));
      if (error && error.status >= 500) {
        if (results.every((result) => result.error)) throw error;
        outage = error;
      }
      results.push(RetriedDeliveryDto.from(id, error));
    }
    return RetriedDeliveriesDto.from(results);
  }

  private async refusalOf(actor: Actor, delivery: Delivery | undefined): Promise<AppError | null> {
    try {
      if (!delivery) throw deliveryNotFound();
      await this.send(actor, delivery);
      return null;
    } catch (error) {
      if (error instanceof AppError) return error;
      if (isDatabaseUnavailable(error) || isTransactionConflict(error)) return new DatabaseUnavailable(error);
      throw error;
    }
  }

  private async send(actor: Actor, delivery: Delivery): Promise<Delivery> {
    const hook = await this.hooks.getForUse(actor, delivery.ownerId);
    // It stands for calls, which are refused below, and has no content.
    if (delivery.reason !== MESSAGE_LIMIT) await this.requireReader(actor, delivery.body);
    await this.requireReady(hook, delivery.url);
    return this.deliveries.retry(delivery);
  }

  private async requireReader(actor: Actor, body: JsonObject): Promise<void> {
    const { channel_id: channelId, event } = body;
    if (await this.events.canSee(actor, body)) return;
    if (event !== undefined && channelId === undefined)
      throw permissionDenied(CommonPermission.ManageWebhooks);
    await this.policy.requireReader(actor, String(channelId));
  }

  /** Throws `hookIsDisabled`, `hookIsPaused`, or ValidationFailed if the hook no longer calls the URL. */
  private async requireReady(hook: OutgoingHook, url?: string): Promise<void> {
    if (hook.disabledAt > 0 || (url !== undefined && hook.disabledUrls.includes(url))) throw hookIsDisabled();
    if (url !== undefined && !urlsOf(hook).includes(url))
      throw new ValidationFailed(
        'app.deliveries.retry.url_removed.app_error',
        'callback_url',
        'the webhook does not call this URL.',
      );
    const reason = await this.events.stoppedReason(hook);
    if (reason) throw hookIsPaused(reason);
  }
}
