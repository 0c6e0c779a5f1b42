import { Injectable } from '@nestjs/common';
import { type Companions, hashOfKey, OncePerKey } from '../../messaging/posts/idempotency.service.js';
import { Clock } from '../../platform/common/clock.js';
import { Purge } from '../../platform/database/purge.js';
import { isGone } from '../execution/execution.errors.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { originOf } from '../incoming-hooks.repository.js';
import { IncomingHooksSettings } from '../incoming-hooks.settings.js';
import type { IncomingPayload } from '../payload/payload-decoder.js';
import { HookMessages } from './hook-messages.service.js';
import { MessageWriter } from './message-writer.js';
import { MessageKey } from './message.entity.js';
import { MessagesRepository } from './messages.repository.js';

const MAX_ATTEMPTS = 5;
/** The part of the lifetime by which the stored time of the last use may be off. */
const TOUCHES_PER_LIFETIME = 100;

/**
 * Posts the first message of a key, and answers or changes it afterwards (docs/contract/incoming-webhooks.md#keys).
 * The key is stored in the transaction of the message, so that concurrent calls make one message.
 */
@Injectable()
export class MessageKeys {
  private readonly calls = new OncePerKey();

  constructor(
    private readonly repository: MessagesRepository,
    private readonly messages: HookMessages,
    private readonly writer: MessageWriter,
    private readonly settings: IncomingHooksSettings,
    private readonly clock: Clock,
    purge: Purge,
  ) {
    purge.register({
      rows: 'keys of incoming webhooks',
      retentionMs: () => settings.incomingWebhookKeyLifetimeMs,
      deleteBefore: (time, limit) => repository.deleteKeysBefore(time, limit),
    });
  }

  /** Returns the IDs of the posts that were written or changed. Throws ExecutionFailed. */
  async post(
    hook: IncomingHook,
    key: string,
    payload: IncomingPayload,
    companions: Companions,
  ): Promise<readonly string[]> {
    const keyHash = hashOfKey(originOf(hook), key);
    for (let attempt = 1; ; attempt++) {
      const { postIds, isReplay } = await this.create(hook, keyHash, payload, companions);
      const [first] = postIds;
      if (!isReplay || first === undefined) return postIds;
      try {
        return (payload.onKey ?? 'thread') === 'thread'
          ? await this.messages.answer(hook, first, payload, companions)
          : await this.messages.replace(hook, first, payload, companions);
      } catch (error) {
        // The message was deleted in the meantime, so this call posts the next one.
        if (!isGone(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** Posts the message unless the key has one. */
  private create(hook: IncomingHook, keyHash: string, payload: IncomingPayload, companions: Companions) {
    let unusable: MessageKey | undefined;
    return this.calls.run(
      keyHash,
      async () => {
        const known = await this.repository.findKey(keyHash);
        if (!known) return null;
        if (await this.isUsable(hook, known)) return [known.postId];
        unusable = known;
        return null;
      },
      async () => {
        const drafts = await this.writer.drafts(hook, payload);
        if (unusable) await this.repository.deleteKey(unusable);
        const posts = await this.writer.store(drafts, (postIds) => {
          const row = { keyHash, originId: originOf(hook), postId: postIds[0], usedAt: this.clock.now() };
          return [...companions(postIds), { entity: MessageKey, rows: [row] }];
        });
        return posts.map(({ id }) => id);
      },
    );
  }

  private async isUsable(hook: IncomingHook, { keyHash, postId, usedAt }: MessageKey): Promise<boolean> {
    const now = this.clock.now();
    const { incomingWebhookKeyLifetimeMs: lifetimeMs } = this.settings;
    if (usedAt < now - lifetimeMs || !(await this.messages.isReachable(hook, postId))) return false;
    if (now - usedAt > lifetimeMs / TOUCHES_PER_LIFETIME) await this.repository.touchKey(keyHash, now);
    return true;
  }
}
