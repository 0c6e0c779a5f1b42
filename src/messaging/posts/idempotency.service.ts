import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { Purge } from '../../platform/database/purge.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Returns the rows to store in the same transaction as the posts, given their IDs. */
export type Companions = (postIds: readonly string[]) => readonly RowsToInsert[];

/** The posts of a request. */
export interface Outcome {
  readonly postIds: readonly string[];
  /** True if an earlier call with the same key created the posts. */
  readonly isReplay: boolean;
}

/**
 * Creates something once per key. A call that arrives while another creates it waits, or fails on the key's row if the
 * other runs in another process, and then returns what the other has created.
 */
export class OncePerKey {
  private readonly running = new Map<string, Promise<readonly string[]>>();

  /** `create` must store the row that `find` reads in the same transaction. If it throws, the key can be used again. */
  async run(
    keyHash: string,
    find: () => Promise<readonly string[] | null>,
    create: () => Promise<readonly string[]>,
  ): Promise<Outcome> {
    // Each call looks itself: what an earlier one has found may be outdated.
    for (let earlier; (earlier = this.running.get(keyHash));) await earlier.catch(() => undefined);
    let isReplay = false;
    const work = find().then(async (known) => {
      isReplay = known !== null;
      if (known) return known;
      try {
        return await create();
      } catch (error) {
        // An earlier commit with this key and an unknown outcome may have succeeded in the meantime.
        const stored = isDuplicateKey(error) ? await find() : null;
        if (!stored) throw error;
        isReplay = true;
        return stored;
      }
    });
    this.running.set(keyHash, work);
    try {
      return { postIds: await work, isReplay };
    } finally {
      this.running.delete(keyHash);
    }
  }
}

/** Returns the SHA-256 (hex) of a scope and a key. */
export function hashOfKey(scope: string, key: string): string {
  return createHash('sha256').update(`${scope}\0${key}`).digest('hex');
}

/**
 * Creates posts once per key (docs/contract/incoming-webhooks.md#idempotency). The key is stored in the
 * transaction of the posts, for 24 hours. A later call returns the same posts; a concurrent call waits.
 */
@Injectable()
export class IdempotencyService {
  private readonly calls = new OncePerKey();

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

  /** `create` returns the IDs of the posts, and must store `companions` with them. If it throws, the key can be used again. */
  async once(
    scope: string,
    key: string,
    create: (companions: Companions) => Promise<readonly string[]>,
  ): Promise<Outcome> {
    const keyHash = hashOfKey(scope, key);
    return this.calls.run(
      keyHash,
      async () => (await this.findLive(keyHash))?.postIds ?? null,
      () =>
        create((postIds) => [
          { entity: IdempotencyKey, rows: [{ keyHash, createAt: this.clock.now(), postIds: [...postIds] }] },
        ]),
    );
  }

  private async findLive(keyHash: string): Promise<IdempotencyKey | null> {
    const known = await this.repository.find(keyHash);
    if (!known || known.createAt >= this.clock.now() - LIFETIME_MS) return known;
    await this.repository.delete(keyHash);
    return null;
  }
}
