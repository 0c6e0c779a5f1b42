import { Injectable } from '@nestjs/common';
import { insertStatements } from '../platform/database/rows.js';
import { selectRows } from '../platform/database/select-rows.js';
import type { Statement } from '../platform/database/statement.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { IncomingHook } from './incoming-hook.entity.js';

const BY_ID = 'incoming_webhooks WHERE id = ? AND delete_at = 0';
const USES_PER_STATEMENT = 50;

/** Queries on incoming webhooks. Deleted rows are kept but never returned. */
@Injectable()
export class IncomingHooksRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async find(id: string): Promise<IncomingHook | null> {
    const [hook] = await selectRows(this.unitOfWork.manager, IncomingHook, BY_ID, [id]);
    return hook ?? null;
  }

  /** Returns the oldest hook of an owner. */
  findOldestOf(userId: string): Promise<IncomingHook | null> {
    return this.hooks.findOne({
      where: { userId, deleteAt: 0 },
      order: { createAt: 'ASC', id: 'ASC' },
    });
  }

  /** Returns the statements that store a new hook. */
  insert(hook: IncomingHook): Statement[] {
    return insertStatements(this.unitOfWork.manager.dataSource, IncomingHook, [hook]);
  }

  /** Returns false if the hook was deleted. */
  async update(id: string, change: Partial<IncomingHook>): Promise<boolean> {
    const { affected } = await this.hooks.update({ id, deleteAt: 0 }, change);
    return affected === 1;
  }

  async idsInChannel(channelId: string): Promise<string[]> {
    const rows = await this.hooks.find({ select: { id: true }, where: { channelId, deleteAt: 0 } });
    return rows.map((row) => row.id);
  }

  async deleteInChannel(channelId: string, deleteAt: number): Promise<void> {
    await this.hooks.update({ channelId, deleteAt: 0 }, { deleteAt, updateAt: deleteAt });
  }

  /** Returns the statements that store last uses; an older time never replaces a newer one. */
  saveUses(uses: readonly (readonly [hookId: string, usedAt: number])[]): Statement[] {
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

  private get hooks() {
    return this.unitOfWork.manager.getRepository(IncomingHook);
  }
}
