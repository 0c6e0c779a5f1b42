import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { Purge } from '../../platform/database/purge.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import type { Post } from './post.entity.js';
import type { Companion } from './writer/write-request.js';

const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Turns the ids of the posts into the rows that must be stored with them. */
export type Companions = (postIds: readonly string[]) => readonly Companion[];

export interface Outcome {
  readonly postIds: readonly string[];
  /** True when an earlier call with the same key has made the posts. */
  readonly isReplay: boolean;
}

/**
 * Makes posts once per key (docs/contract/incoming-webhooks.md#idempotency): the key is stored in the same
 * transaction as the posts, for 24 hours. A second call with the same key gets the same posts; one that arrives
 * meanwhile waits for the first.
 */
@Injectable()
export class IdempotencyService {
  private readonly running = new Map<string, Promise<readonly string[]>>();

  constructor(
    private readonly repository: IdempotencyRepository,
    private readonly clock: Clock,
    purge: Purge,
  ) {
    purge.register({
      rows: 'idempotency keys',
      retentionMs: () => LIFETIME_MS,
      deleteBefore: (time, limit) => repository.deleteOlderThan(time, limit),
    });
  }

  /** `create` must hand `companions` to the post writer. What it throws is thrown here, and the key stays free. */
  async once(
    scope: string,
    key: string,
    create: (companions: Companions) => Promise<readonly Post[]>,
  ): Promise<Outcome> {
    const keyHash = createHash('sha256').update(`${scope}\0${key}`).digest('hex');
    for (;;) {
      const earlier = this.running.get(keyHash);
      if (!earlier) break;
      const postIds = await earlier.catch(() => undefined);
      if (postIds) return { postIds, isReplay: true };
    }
    let isReplay = false;
    const work = this.findLive(keyHash).then(async (known) => {
      if (known) {
        isReplay = true;
        return known.postIds;
      }
      try {
        const posts = await create((postIds) => [
          { entity: IdempotencyKey, rows: [{ keyHash, createAt: this.clock.now(), postIds: [...postIds] }] },
        ]);
        return posts.map((post) => post.id);
      } catch (error) {
        // A commit whose outcome was unknown may have ended only now: this one waited for its row.
        const stored = isDuplicateKey(error) ? await this.repository.find(keyHash) : null;
        if (!stored) throw error;
        isReplay = true;
        return stored.postIds;
      }
    });
    this.running.set(keyHash, work);
    try {
      return { postIds: await work, isReplay };
    } finally {
      this.running.delete(keyHash);
    }
  }

  private async findLive(keyHash: string): Promise<IdempotencyKey | null> {
    const known = await this.repository.find(keyHash);
    if (!known || known.createAt >= this.clock.now() - LIFETIME_MS) return known;
    await this.repository.delete(keyHash);
    return null;
  }
}
