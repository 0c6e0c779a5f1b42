import { Injectable } from '@nestjs/common';
import type { Actor } from '../../messaging/permissions/actor.js';
import { AuditService, secretHash } from '../../platform/audit/audit.service.js';
import { Clock } from '../../platform/common/clock.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { newId } from '../../platform/common/ids.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { incomingHookNotFound } from '../incoming-hooks.errors.js';
import { IncomingHookUpdated } from '../incoming-hooks.events.js';
import { IncomingHooksPolicy } from '../incoming-hooks.policy.js';
import { IncomingHooksRepository, originOf } from '../incoming-hooks.repository.js';
import { IncomingHooksService, type ShownHook } from '../incoming-hooks.service.js';
import { IncomingHooksSettings, MAX_URL_OVERLAP_MS } from '../incoming-hooks.settings.js';
import { KeptRequestsRepository } from '../kept-requests/kept-requests.repository.js';
import { VerifiersService } from '../verification/verifiers.service.js';
import type { PreviousUrl } from './previous-url.entity.js';
import { PreviousUrlsRepository } from './previous-urls.repository.js';

export const MAX_PREVIOUS_URLS = 10;

/** Gives webhooks new URLs (docs/contract/incoming-webhooks.md#rotate-the-url). */
@Injectable()
export class UrlRotationService {
  constructor(
    private readonly hooks: IncomingHooksService,
    private readonly repository: IncomingHooksRepository,
    private readonly previous: PreviousUrlsRepository,
    private readonly kept: KeptRequestsRepository,
    private readonly verifiers: VerifiersService,
    private readonly policy: IncomingHooksPolicy,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: IncomingHooksSettings,
    private readonly clock: Clock,
  ) {}

  /** Returns the previous URLs that still work, newest first. */
  async list(actor: Actor, id: string): Promise<PreviousUrl[]> {
    await this.hooks.get(actor, id);
    return this.previous.list(id);
  }

  /**
   * Gives the webhook a new ID. Its previous ones are accepted for the overlap, and not at all if that is 0. Kept
   * calls move with it; messages and keys belong to its origin, which stays. Throws InvalidBodyParam.
   */
  async rotate(actor: Actor, id: string, overlapSeconds: number | undefined): Promise<ShownHook> {
    await this.hooks.get(actor, id);
    const overlapMs =
      overlapSeconds === undefined ? this.settings.incomingWebhookUrlOverlapMs : overlapSeconds * 1000;
    if (overlapMs < 0 || overlapMs > MAX_URL_OVERLAP_MS)
      throw new InvalidBodyParam('overlap_seconds', `it must be from 0 to ${MAX_URL_OVERLAP_MS / 1000}`);
    const rotated = await this.unitOfWork.run(async () => {
      const hook = await this.repository.lock(id);
      if (!hook) throw incomingHookNotFound();
      if (overlapMs > 0 && (await this.previous.working(id)).length >= MAX_PREVIOUS_URLS) {
        const reason = `${MAX_PREVIOUS_URLS} previous URLs still work; with 0, all of them stop working`;
        throw new InvalidBodyParam('overlap_seconds', reason);
      }
      // Who rotates the URL knows the new one.
      const makerId = (await this.policy.keepsMaker(actor, hook)) ? hook.makerId : actor.userId;
      return this.move({ ...this.repository.current(hook), makerId }, overlapMs);
    });
    await this.kept.moveTo(rotated.id, id); // calls that were being stored
    return this.hooks.shown(rotated);
  }

  private async move(hook: IncomingHook, overlapMs: number): Promise<IncomingHook> {
    const now = this.clock.now();
    const id = newId();
    const change = {
      id,
      originId: originOf(hook),
      aliasPath: hook.aliasPath === hook.id ? id : hook.aliasPath,
      makerId: hook.makerId,
      updateAt: Math.max(now, hook.updateAt + 1),
      lastUsed: hook.lastUsed,
      ...this.verifiers.movedTo(id, hook),
    };
    const record = { overlap_seconds: overlapMs / 1000, new_id_hash: secretHash(id) };
    this.audit.concerns({ id: hook.id, record });
    await this.hooks.save(hook.id, change, new IncomingHookUpdated(id));
    await this.kept.moveTo(id, hook.id);
    await this.previous.redirect(hook.id, id, now + overlapMs);
    const url = { id: hook.id, hookId: id, createAt: now, expiresAt: now + overlapMs, uses: 0, lastUsed: 0 };
    await this.previous.insert(url);
    return { ...hook, ...change };
  }
}
