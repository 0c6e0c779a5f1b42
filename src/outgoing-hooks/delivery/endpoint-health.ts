import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import { DispatchSettings } from '../../delivery/dispatch/dispatch.settings.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import { DISABLED_BY_RECEIVER } from '../../delivery/dispatch/outcome.js';
import type { SettledAttempt } from '../../delivery/dispatch/delivery-kind.js';
import { EndpointDisabled } from '../outgoing-hooks.events.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { healthOf, OutgoingHookRecords } from '../outgoing-hook-records.js';
import { OutgoingHookNotFound } from '../outgoing-hooks.errors.js';

const GONE = 410;
const MIN_PAUSE_MS = 2 * 86_400_000;
/** Attempts are recorded well within this time, so a larger gap means that the enabling clock was ahead. */
const MAX_NOTED_LATE_MS = 3_600_000;
/** The precision of the last failure time, which is not written for every failure. */
const NOTED_EVERY_MS = 3_600_000;

const REASONS = {
  gone: 'A callback URL responded with 410 Gone.',
  [DISABLED_BY_RECEIVER]: 'The receiver of a callback URL wants no more calls.',
  failing: 'The attempts to a callback URL failed for too long.',
} as const;

type Reason = keyof typeof REASONS;

/**
 * Disables callback URLs that answer 410, want no more calls or fail for OUTGOING_DISABLE_AFTER, and hooks without
 * another URL (docs/contract/outgoing-webhooks.md#giving-up). Writes only when something changes.
 */
@Injectable()
export class EndpointHealth implements OnApplicationShutdown {
  private readonly logger = new Logger(EndpointHealth.name);
  /** The tail of a promise chain: attempts are handled in sequence, as each depends on the previous one. */
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(
    private readonly hooks: OutgoingHookRecords,
    private readonly deliveries: DeliveriesService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly settings: OutgoingHooksSettings,
    private readonly dispatch: DispatchSettings,
  ) {}

  note(attempt: SettledAttempt): void {
    if (this.waiting === 0 && this.isNoNews(attempt)) return;
    this.waiting++;
    this.last = this.last.then(async () => {
      try {
        await this.apply(attempt);
      } catch (error) {
        if (error instanceof OutgoingHookNotFound) return; // deleted in the meantime
        if (isDatabaseUnavailable(error)) return; // the next attempt will show the same
        this.logger.error('The health of an endpoint cannot be updated.', stackOf(error));
      } finally {
        this.waiting--;
      }
    });
  }

  onApplicationShutdown(): Promise<void> {
    return this.last;
  }

  /** Whether cached data shows that the attempt changes nothing, as is the case for nearly all. */
  private isNoNews(attempt: SettledAttempt): boolean {
    const known = this.hooks.peek(attempt.delivery.ownerId);
    return known !== undefined && !this.changeOf(attempt, known);
  }

  private async apply(attempt: SettledAttempt): Promise<void> {
    const known = await this.hooks.find(attempt.delivery.ownerId);
    if (!known || !this.changeOf(attempt, known)) return;
    await this.hooks.alter(known, async (hook) => {
      const { delivery, finishedAt } = attempt;
      const change = this.changeOf(attempt, hook); // evaluated again, now that the hook is locked
      if (change === 'works') await this.setWorking(hook, delivery.url);
      else if (change === 'fails') await this.setFailing(hook, delivery.url, finishedAt);
      else if (change === 'fails on') await this.hooks.setHealth(hook, { lastFailureAt: finishedAt });
      else if (change) await this.disable(hook, delivery.url, change, finishedAt);
    });
  }

  private changeOf(
    { delivery: { url }, result, reason, statusCode, finishedAt }: SettledAttempt,
    hook: OutgoingHook,
  ): 'works' | 'fails' | 'fails on' | Reason | undefined {
    if (!hook.callbackUrls.includes(url) || hook.disabledUrls.includes(url)) return undefined;
    // The hook was enabled after this attempt ended, so the attempt must not disable it again.
    if (finishedAt < hook.enabledAt && hook.enabledAt - finishedAt < MAX_NOTED_LATE_MS) return undefined;
    if (reason === DISABLED_BY_RECEIVER) return reason;
    const failingSince = hook.failingUrls[url];
    if (result === 'delivered') return failingSince === undefined ? undefined : 'works';
    if (statusCode === GONE) return 'gone';
    if (failingSince === undefined) return 'fails';
    const silentMs = finishedAt - hook.lastFailureAt;
    if (finishedAt - failingSince >= this.settings.outgoingDisableAfterMs)
      return silentMs > this.longPauseMs + NOTED_EVERY_MS ? 'fails' : 'failing';
    return silentMs >= NOTED_EVERY_MS ? 'fails on' : undefined;
  }

  /** Failures from before a long pause do not count. All URLs of a hook are called together. */
  private get longPauseMs(): number {
    return Math.max(MIN_PAUSE_MS, 2 * Math.max(...this.dispatch.outgoingScheduleMs));
  }

  private setFailing(hook: OutgoingHook, url: string, since: number): Promise<void> {
    const failingUrls = { ...hook.failingUrls, [url]: since };
    return this.hooks.setHealth(hook, { failingUrls, lastFailureAt: since });
  }

  private setWorking(hook: OutgoingHook, url: string): Promise<void> {
    const failingUrls = { ...hook.failingUrls };
    delete failingUrls[url];
    return this.hooks.setHealth(hook, { failingUrls });
  }

  private async disable(hook: OutgoingHook, url: string, reason: Reason, now: number): Promise<void> {
    const disabledUrls = [...hook.disabledUrls, url];
    // The URL may not have failed before; lists show when it was disabled.
    const failingUrls = { [url]: now, ...hook.failingUrls };
    const failed = { ...hook, disabledUrls, failingUrls, lastFailureAt: now };
    const health = healthOf(failed, now, REASONS[reason]);
    const isHookDisabled = health.disabledAt > 0;
    const { origin } = new URL(url);
    await this.hooks.setHealth(hook, health);
    await this.deliveries.cancel(
      hook.id,
      isHookDisabled ? 'hook_disabled' : 'url_disabled',
      isHookDisabled ? undefined : url,
    );
    await this.audit.record({
      userId: '',
      action: isHookDisabled ? 'disable_outgoing_webhook' : 'disable_outgoing_webhook_url',
      target: hook.id,
      status: 200,
      errorId: '',
      requestId: '',
      address: '',
    });
    this.unitOfWork.afterCommit(() =>
      this.logger.warn(
        `A callback URL of the outgoing webhook ${hook.id} at ${origin} is disabled: ${REASONS[reason]}`,
      ),
    );
    await this.events.publish(new EndpointDisabled(hook.id, hook.teamId, origin, reason));
  }
}
