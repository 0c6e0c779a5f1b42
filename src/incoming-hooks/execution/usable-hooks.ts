import { Injectable } from '@nestjs/common';
import { OwnerStates } from '../../messaging/owners/owner-states.js';
import { Clock } from '../../platform/common/clock.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { IncomingHooksRepository, ownedBy } from '../incoming-hooks.repository.js';
import { IncomingHooksSettings } from '../incoming-hooks.settings.js';
import { PreviousUrlsRepository } from '../url-rotation/previous-urls.repository.js';
import { VerifiersService } from '../verification/verifiers.service.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { CallRates, type RateHeaders } from './call-rates.js';
import type { IncomingPayload } from '../payload/payload-decoder.js';
import { failures, hookExpired, hookOrphaned } from './execution.errors.js';

const MAX_ATTEMPTS = 5;

interface Admitted {
  /** Null if it does not exist. */
  readonly hook: IncomingHook | null;
  readonly rate: RateHeaders | undefined;
}

/** Finds webhooks for calls to their URLs, which need no permission. */
@Injectable()
export class UsableHooks {
  constructor(
    private readonly settings: IncomingHooksSettings,
    private readonly hooks: IncomingHooksRepository,
    private readonly owners: OwnerStates,
    private readonly clock: Clock,
    private readonly verifiers: VerifiersService,
    private readonly rates: CallRates,
    private readonly previousUrls: PreviousUrlsRepository,
  ) {}

  /** Finds a hook by its ID, or by a previous one that still works. */
  async find(hookId: string): Promise<IncomingHook | null> {
    let hook = await this.hooks.findCached(hookId);
    // Another rotation may come between the reads.
    for (let attempt = 0; hook === null && attempt < MAX_ATTEMPTS; attempt++) {
      const currentId = await this.previousUrls.currentIdOf(hookId);
      if (currentId === null) break;
      hook = await this.hooks.findCached(currentId);
    }
    return hook;
  }

  /** Finds the hook of a call from outside, which is verified and counted. Throws ExecutionFailed. */
  async admit(hookId: string, request: HttpRequest, isPayloadInUrl = false): Promise<Admitted> {
    const hook = await this.find(hookId);
    if (hook?.verifier) this.verifiers.requireVerified(hook, request, isPayloadInUrl);
    if (hook && hook.id !== hookId) this.previousUrls.noteUse(hookId);
    return { hook, rate: hook ? this.rates.take(hook) : undefined };
  }

  async get(hookId: string): Promise<IncomingHook> {
    return this.require(await this.find(hookId));
  }

  /** Returns the hook. Throws ExecutionFailed if it is missing or disabled, or there is nothing to post. */
  async require(hook: IncomingHook | null, payload?: IncomingPayload): Promise<IncomingHook> {
    if (!this.settings.enableIncomingWebhooks) throw failures.disabled();
    if (payload?.unknownBlocks) throw failures.unknownBlocks(payload.unknownBlocks);
    if (payload?.text === '' && !payload.attachments && payload.ignored === undefined)
      throw failures.noText();
    if (!hook) throw failures.unknownHook();
    if (hook.expiresAt > 0 && hook.expiresAt <= this.clock.now()) throw hookExpired(hook.expiresAt);
    if (await this.owners.isStopped(ownedBy(hook))) throw hookOrphaned();
    return hook;
  }
}
