import { Injectable } from '@nestjs/common';
import { DeliveriesService } from '../delivery/dispatch/deliveries.service.js';
import { type OwnerState, OwnerStates } from '../messaging/owners/owner-states.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { HookHealthDto } from './dto/hook-health.dto.js';
import { OutgoingHookDto } from './dto/outgoing-hook.dto.js';
import { HookCredentials } from './credentials/hook-credentials.js';
import { EventRights } from './events/event-rights.js';
import { type HookSecrets, OutgoingHookSecrets } from './outgoing-hook-secrets.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import { ownedBy } from './outgoing-hook.rules.js';
import { hookIsUnhealthy } from './outgoing-hooks.errors.js';
import { OutgoingHooksPolicy } from './outgoing-hooks.policy.js';

const HIDDEN: HookSecrets = { token: '', signingSecret: '', previousSecrets: [] };

/** Builds the caller's view of hooks: secrets and full URLs only for callers with full access. */
@Injectable()
export class OutgoingHookViews {
  constructor(
    private readonly policy: OutgoingHooksPolicy,
    private readonly secrets: OutgoingHookSecrets,
    private readonly credentials: HookCredentials,
    private readonly rights: EventRights,
    private readonly owners: OwnerStates,
    private readonly deliveries: DeliveriesService,
  ) {}

  async show(actor: Actor, hook: OutgoingHook): Promise<OutgoingHookDto> {
    return this.view(actor, hook, await this.owners.of(ownedBy(hook)));
  }

  async showAll(actor: Actor, hooks: readonly OutgoingHook[]): Promise<OutgoingHookDto[]> {
    const states = await this.owners.listOf(hooks.map(ownedBy));
    return Promise.all(hooks.map((hook, row) => this.view(actor, hook, states[row] ?? 'deleted')));
  }

  /** With `isStrict`, throws `hookIsUnhealthy` if nothing reaches its receivers. */
  async health(actor: Actor, hook: OutgoingHook, isStrict: boolean): Promise<HookHealthDto> {
    const [mayUse, pausedReason = '', stoppedReason = '', activity] = await Promise.all([
      this.policy.mayUse(actor, hook),
      this.rights.pausedReason(hook),
      this.rights.stoppedReason(hook),
      this.deliveries.activityOf(hook.id),
    ]);
    const isReadable = this.secrets.openForAnswer(hook) !== undefined && this.credentials.areReadable(hook);
    const fault = { pausedReason, stoppedReason, areSecretsUnreadable: !isReadable };
    const health = HookHealthDto.from(hook, activity, fault, mayUse ? (url) => url : originOf);
    const { status, reason } = health;
    if (isStrict && status !== 'ok' && status !== 'degraded') throw hookIsUnhealthy(status, reason);
    return health;
  }

  private async view(actor: Actor, hook: OutgoingHook, ownerState: OwnerState): Promise<OutgoingHookDto> {
    const [mayUse, pausedReason] = await Promise.all([
      this.policy.mayUse(actor, hook),
      this.rights.pausedReason(hook),
    ]);
    const shown = { ...hook, failingUrls: stillCalled(hook) };
    const secrets = mayUse ? this.secrets.openForAnswer(hook) : HIDDEN;
    const state = {
      ownerState,
      pausedReason: pausedReason ?? '',
      areSecretsUnreadable: secrets === undefined || (mayUse && !this.credentials.areReadable(hook)),
    };
    return OutgoingHookDto.from(mayUse ? shown : withoutPaths(shown), secrets ?? HIDDEN, state);
  }
}

function stillCalled({ failingUrls, disabledUrls }: OutgoingHook): OutgoingHook['failingUrls'] {
  return Object.fromEntries(Object.entries(failingUrls).filter(([url]) => !disabledUrls.includes(url)));
}

function originOf(url: string): string {
  return new URL(url).origin;
}

/** URL paths and queries often contain keys, and so do headers. */
function withoutPaths(hook: OutgoingHook): OutgoingHook {
  const origins = (urls: readonly string[]): string[] => urls.map(originOf);
  const failing = Object.entries(hook.failingUrls).map(([url, since]) => [originOf(url), since]);
  return {
    ...hook,
    callbackUrls: origins(hook.callbackUrls),
    disabledUrls: origins(hook.disabledUrls),
    failingUrls: Object.fromEntries(failing) as Record<string, number>,
    headers: null,
    auth: null,
  };
}
