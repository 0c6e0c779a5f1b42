import { Injectable } from '@nestjs/common';
import { type Companions, hashOfKey, OncePerKey } from '../../messaging/posts/idempotency.service.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { Clock } from '../../platform/common/clock.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { Purge } from '../../platform/database/purge.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { InTransaction } from '../../platform/events/listeners.js';
import { isGone } from '../execution/execution.errors.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { originOf } from '../incoming-hooks.repository.js';
import { IncomingHookDeleted } from '../incoming-hooks.events.js';
import { IncomingHooksSettings } from '../incoming-hooks.settings.js';
import type { IncomingPayload } from '../payload/payload-decoder.js';
import { HookMessages } from './hook-messages.service.js';
import { MessageWriter } from './message-writer.js';
import { MessageKey } from './message.entity.js';
import { MessagesRepository } from './messages.repository.js';

const MAX_ATTEMPTS = 5;
/** The part of the lifetime by which the stored time of the last use may be off. */
const TOUCHES_PER_LIFETIME = 100;
/** Further keys of a deleted webhook are deleted at the end of their lifetime. */
const MAX_KEYS_DELETED_AT_ONCE = 1_000;

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
    private readonly unitOfWork: UnitOfWork,
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
      let isKnown = false;
      try {
        const { postIds, isReplay } = await this.create(hook, keyHash, payload, companions);
        const [first] = postIds;
        isKnown = isReplay;
        return isKnown && first !== undefined
          ? await this.follow(hook, keyHash, first, payload, companions)
          : postIds;
      } catch (error) {
        // Another call has deleted, resolved or posted the message in the meantime.
        const isOvertaken = isKnown ? isGone(error) : isDuplicateKey(error);
        if (!isOvertaken || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  @InTransaction(IncomingHookDeleted)
  onHookDeleted({ hookId }: IncomingHookDeleted): Promise<void> {
    return this.repository.deleteKeysOf(hookId, MAX_KEYS_DELETED_AT_ONCE);
  }

  /** Answers or changes the message of the key. */
  private follow(
    hook: IncomingHook,
    keyHash: string,
    postId: string,
    payload: IncomingPayload,
    companions: Companions,
  ): Promise<readonly string[]> {
    const { onKey = 'thread' } = payload;
    if (onKey === 'thread') return this.messages.answer(hook, postId, payload, companions);
    return this.messages.replace(hook, postId, payload, companions, () =>
      this.repository.noteChange(keyHash, postId, onKey === 'resolve', this.clock.now()),
    );
  }

  /** Posts the message unless the key has one. A resolved one counts only for calls that resolve it again. */
  private create(hook: IncomingHook, keyHash: string, payload: IncomingPayload, companions: Companions) {
    const isResolving = payload.onKey === 'resolve';
    const key = { keyHash, originId: originOf(hook), isResolved: isResolving };
    let unusable: MessageKey | undefined;
    return this.calls.run(
      keyHash,
      async () => {
        const known = await this.repository.findKey(keyHash);
        if (!known) return null;
        if ((isResolving || !known.isResolved) && (await this.isUsable(hook, known))) return [known.postId];
        unusable = known;
        return null;
      },
      async () => {
        const drafts = await this.writer.drafts(hook, payload);
        const store = (): Promise<readonly Post[]> =>
          this.writer.store(drafts, (postIds) => [
            ...companions(postIds),
            { entity: MessageKey, rows: [{ ...key, postId: postIds[0], usedAt: this.clock.now() }] },
          ]);
        const old = unusable;
        const posts = await (old
          ? this.unitOfWork.run(() => this.repository.deleteKey(old).then(store))
          : store());
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
