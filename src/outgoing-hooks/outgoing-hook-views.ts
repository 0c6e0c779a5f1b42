import { Injectable } from '@nestjs/common';
import { type OwnerState, OwnerStates } from '../messaging/owners/owner-states.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { OutgoingHookDto } from './dto/outgoing-hook.dto.js';
import { HookCredentials } from './credentials/hook-credentials.js';
import { type HookSecrets, OutgoingHookSecrets } from './outgoing-hook-secrets.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import { ownedBy } from './outgoing-hook.rules.js';
import { OutgoingHooksPolicy } from './outgoing-hooks.policy.js';
import { HookRights } from './pausing/hook-rights.js';

const HIDDEN: HookSecrets = { token: '', signingSecret: '', previousSecrets: [] };

/** Builds the caller's view of hooks: secrets and full URLs only for callers with full access. */
@Injectable()
export class OutgoingHookViews {
  constructor(
    private readonly policy: OutgoingHooksPolicy,
    private readonly secrets: OutgoingHookSecrets,
    private readonly credentials: HookCredentials,
    private readonly rights: HookRights,
    private readonly owners: OwnerStates,
  ) {}

  async show(actor: Actor, hook: OutgoingHook): Promise<OutgoingHookDto> {
    return this.view(actor, hook, await this.owners.of(ownedBy(hook)));
  }

  async showAll(actor: Actor, hooks: readonly OutgoingHook[]): Promise<OutgoingHookDto[]> {
    const states = await this.owners.listOf(hooks.map(ownedBy));
    return Promise.all(hooks.map((hook, row) => this.view(actor, hook, states[row] ?? 'deleted')));
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

/** URL paths and queries often contain keys, and so do headers. */
function withoutPaths(hook: OutgoingHook): OutgoingHook {
  const origins = (urls: readonly string[]): string[] => urls.map((url) => new URL(url).origin);
  const failing = Object.entries(hook.failingUrls).map(([url, since]) => [new URL(url).origin, since]);
  return {
    ...hook,
    callbackUrls: origins(hook.callbackUrls),
    disabledUrls: origins(hook.disabledUrls),
    failingUrls: Object.fromEntries(failing) as Record<string, number>,
    headers: null,
    auth: null,
  };
}
