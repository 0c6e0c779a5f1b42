import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../platform/common/errors/common-errors.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { hookIsDisabled, hookIsPaused } from '../outgoing-hooks.errors.js';
import { HookRights } from '../pausing/hook-rights.js';

/** Checks whether a hook can resend deliveries. */
@Injectable()
export class HookReadiness {
  constructor(private readonly rights: HookRights) {}

  /** Throws `hookIsDisabled`, `hookIsPaused`, or ValidationFailed if the hook no longer calls the URL. */
  async require(hook: OutgoingHook, url?: string): Promise<void> {
    if (hook.disabledAt > 0 || (url !== undefined && hook.disabledUrls.includes(url))) throw hookIsDisabled();
    if (url !== undefined && !hook.callbackUrls.includes(url))
      throw new ValidationFailed(
        'app.deliveries.retry.url_removed.app_error',
        'callback_url',
        'the webhook does not call this URL any more.',
      );
    const reason = await this.rights.pausedReason(hook);
    if (reason) throw hookIsPaused(reason);
  }
}
