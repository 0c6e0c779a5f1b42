import { Injectable } from '@nestjs/common';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import type { Actor } from '../../messaging/permissions/actor.js';
import type { PostDraft } from '../../messaging/posts/writer/write-request.js';
import { permissionDenied } from '../../platform/common/errors/common-errors.js';
import { decode } from '../execution/decode.js';
import { HookPoster } from '../execution/hook-poster.js';
import { IncomingHooksService } from '../incoming-hooks.service.js';
import { KeptRequestsPolicy } from '../kept-requests/kept-requests.policy.js';
import type { PreviewIncomingHookDto } from './preview.dto.js';

/** What a call would post. */
export interface Preview {
  readonly drafts: readonly PostDraft[];
  readonly notUnderstood: number;
}

/** Shows what a call would post, and posts nothing (docs/contract/incoming-webhooks.md#preview). */
@Injectable()
export class PreviewService {
  constructor(
    private readonly hooks: IncomingHooksService,
    private readonly poster: HookPoster,
    private readonly policy: KeptRequestsPolicy,
  ) {}

  /** Throws what the call would be refused with, after what `IncomingHooksService.get` throws, and `permissionDenied`. */
  async preview(actor: Actor, hookId: string, input: PreviewIncomingHookDto): Promise<Preview> {
    const hook = await this.hooks.get(actor, hookId);
    const payload = await decode({
      body: Buffer.from(input.payload),
      contentType: input.content_type,
    });
    // Unlike a call, a preview leaves no trace for the owner, into whose private channels it may look.
    if (payload.channel !== '' && !(await this.policy.isTrusted(actor, hook)))
      throw permissionDenied(CommonPermission.ReadChannelContent);
    const { notUnderstood = 0 } = payload;
    return { drafts: await this.poster.preview(hookId, payload), notUnderstood };
  }
}
