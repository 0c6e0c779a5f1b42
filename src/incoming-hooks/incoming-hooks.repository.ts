import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Owned } from '../messaging/owners/owner-states.js';
import type { ExpiryRange } from '../platform/common/expiry.js';
import { expiring } from '../platform/database/expiring.js';
import { isId } from '../platform/common/ids.js';
import { CommitEngine } from '../platform/database/commits/commit-engine.js';
import { DatabaseCache, idKeys } from '../platform/database/database-cache.js';
import { PeriodicTask } from '../platform/database/periodic-task.js';
import { insertStatements } from '../platform/database/rows.js';
import { selectRows } from '../platform/database/select-rows.js';
import type { Statement } from '../platform/database/statement.js';
import { FOR_UPDATE } from '../platform/database/transactions.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { isRocketChatPath, isSlackPath } from './alias-paths.js';
import { IncomingHook } from './incoming-hook.entity.js';

const BY_ID = 'incoming_webhooks WHERE id = ? AND delete_at = 0';
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
const INTERVAL_MS = 3_000;
const MAX_PENDING = 10_000;
const USES_PER_STATEMENT = 50;
const FAILURE = 'The last uses of incoming webhooks cannot be stored yet.';

/** Maps a hook to its owner for owner state lookups. */
export const ownedBy = ({ userId, teamId }: IncomingHook): Owned => ({ ownerId: userId, teamId });

/** The ID that the messages and keys of a hook refer to. An earlier version leaves it empty during an upgrade. */
export const originOf = ({ id, originId }: IncomingHook): string => originId || id;

/**
 * Queries on incoming webhooks. Deleted rows are kept but never returned. The times of last uses are kept in memory
 * and written in batches, so that a post needs no second write; a killed process loses those of the last seconds.
 */
@Injectable()
export class IncomingHooksRepository implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Unknown IDs are not cached, so that guessing IDs does not evict hooks in use. */
  private readonly cache: DatabaseCache<IncomingHook | null>;
  private readonly writes = new PeriodicTask('HookUses', FAILURE, () => this.writeUses());
  private pending = new Map<string, number>();
  private writing: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly commits: CommitEngine,
  ) {
    this.cache = new DatabaseCache(unitOfWork, {
      name: 'incoming_hooks',
      maxBytes: MAX_CACHED_BYTES,
      keys: idKeys(null),
      groups: { channel: (hook, _id, channelId) => hook?.channelId === channelId },
    });
  }

  onApplicationBootstrap(): void {
    this.writes.start(INTERVAL_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.writes.run();
    await this.writes.run(); // uses recorded during the first run
    await this.writes.stop();
  }

  async find(id: string): Promise<IncomingHook | null> {
    const [hook] = await selectRows(this.unitOfWork.manager, IncomingHook, BY_ID, [id]);
    return hook ?? null;
  }

  /** Reads the hook in the unit of work, and keeps others from changing it until that ends. */
  lock(id: string): Promise<IncomingHook | null> {
    return this.hooks.findOne({ where: { id, deleteAt: 0 }, ...FOR_UPDATE });
  }

  /** Returns the current hook, possibly cached, or null if unknown or deleted. */
  async findCached(id: string): Promise<IncomingHook | null> {
    return isId(id) ? this.cache.get(id, () => this.find(id)) : null;
  }

  findByAlias(aliasPath: string): Promise<IncomingHook | null> {
    const isAlias = isSlackPath(aliasPath) || isRocketChatPath(aliasPath);
    return isAlias ? this.hooks.findOneBy({ aliasPath, deleteAt: 0 }) : Promise.resolve(null);
  }

  findOldestOf(userId: string): Promise<IncomingHook | null> {
    return this.hooks.findOne({ where: { userId, deleteAt: 0 }, order: { createAt: 'ASC', id: 'ASC' } });
  }

  async insert(hook: IncomingHook): Promise<void> {
    await this.commits.run(...insertStatements(this.unitOfWork.manager.dataSource, IncomingHook, [hook]));
  }

  /** Returns false if the hook was deleted. */
  async update(id: string, change: Partial<IncomingHook>): Promise<boolean> {
    const { affected } = await this.hooks.update({ id, deleteAt: 0 }, change);
    this.cache.forget(id);
    return affected === 1;
  }

  listExpiring(range: ExpiryRange, limit: number): Promise<IncomingHook[]> {
    const { where, ...options } = expiring(range, limit);
    return this.hooks.find({ ...options, where: { ...where, deleteAt: 0 } });
  }

  /** Returns false if the expiry has changed. */
  async noteReminders(id: string, expiresAt: number, expiryReminders: number): Promise<boolean> {
    const { affected } = await this.hooks.update({ id, expiresAt, deleteAt: 0 }, { expiryReminders });
    this.cache.forget(id);
    return affected === 1;
  }

  async idsInChannel(channelId: string): Promise<string[]> {
    const rows = await this.hooks.find({ select: { id: true }, where: { channelId, deleteAt: 0 } });
    return rows.map((row) => row.id);
  }

  async deleteInChannel(channelId: string, deleteAt: number): Promise<void> {
    const change = { deleteAt, updateAt: deleteAt, aliasPath: () => 'id' };
    await this.hooks.update({ channelId, deleteAt: 0 }, change);
    this.cache.forgetGroup('channel', channelId);
  }

  /** Records a use, which is stored within seconds. */
  touch(hookId: string, usedAt: number): void {
    if (usedAt <= (this.pending.get(hookId) ?? 0)) return;
    this.pending.set(hookId, usedAt);
    if (this.pending.size >= MAX_PENDING) void this.writes.run();
  }

  /** Returns the hook with its last use, including uses that are not stored yet. */
  current(hook: IncomingHook): IncomingHook {
    const lastUsed = Math.max(hook.lastUsed, this.pending.get(hook.id) ?? 0, this.writing.get(hook.id) ?? 0);
    return lastUsed === hook.lastUsed ? hook : { ...hook, lastUsed };
  }

  /** Uses that cannot be stored are retried next time. */
  private async writeUses(): Promise<void> {
    if (this.pending.size === 0) return;
    const uses = this.pending;
    this.writing = uses;
    this.pending = new Map();
    try {
      await this.commits.run(...statementsOf([...uses]));
    } catch (error) {
      for (const [hookId, usedAt] of uses) this.touch(hookId, usedAt);
      throw error;
    } finally {
      this.writing = new Map();
    }
  }

  private get hooks() {
    return this.unitOfWork.manager.getRepository(IncomingHook);
  }
}

/** The statements that store last uses; an older time never replaces a newer one. */
function statementsOf(uses: readonly (readonly [hookId: string, usedAt: number])[]): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < uses.length; start += USES_PER_STATEMENT) {
    const part = uses.slice(start, start + USES_PER_STATEMENT);
    const cases = part.map(() => 'WHEN id = ? AND last_used < ? THEN ?').join(' ');
    statements.push({
      sql: `UPDATE incoming_webhooks SET last_used = CASE ${cases} ELSE last_used END WHERE id IN (${part.map(() => '?').join(',')})`,
      parameters: [...part.flatMap(([id, usedAt]) => [id, usedAt, usedAt]), ...part.map(([id]) => id)],
    });
  }
  return statements;
}
