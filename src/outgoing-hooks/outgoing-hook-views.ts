import { Injectable } from '@nestjs/common';
import type { Actor } from '../messaging/permissions/actor.js';
import { OutgoingHookDto } from './dto/outgoing-hook.dto.js';
import { type HookSecrets, OutgoingHookSecrets } from './outgoing-hook-secrets.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import { OutgoingHooksPolicy } from './outgoing-hooks.policy.js';
import { HookRights } from './pausing/hook-rights.js';

const HIDDEN: HookSecrets = { token: '', signingSecret: '', previousSecrets: [] };

/** What callers see of a hook: its secrets only if they may do everything with it. */
@Injectable()
export class OutgoingHookViews {
  constructor(
    private readonly policy: OutgoingHooksPolicy,
    private readonly secrets: OutgoingHookSecrets,
    private readonly rights: HookRights,
  ) {}

  async show(actor: Actor, hook: OutgoingHook): Promise<OutgoingHookDto> {
    const [mayUse, pausedReason] = await Promise.all([
      this.policy.mayUse(actor, hook),
      this.rights.pausedReason(hook),
    ]);
    return OutgoingHookDto.from(hook, mayUse ? this.secrets.openForAnswer(hook) : HIDDEN, pausedReason ?? '');
  }
}
