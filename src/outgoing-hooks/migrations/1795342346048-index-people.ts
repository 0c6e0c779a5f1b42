import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, index } from '../../platform/database/table-columns.js';

const INDEXES = [
  index('ix_outgoing_webhooks_creator', 'creator_id'),
  index('ix_outgoing_webhooks_set_by', 'set_by'),
];

/** Finds the hooks that depend on the rights of a person. */
export class IndexPeople1795342346048 implements MigrationInterface {
  readonly name = 'IndexPeople1795342346048';

  async up(runner: QueryRunner): Promise<void> {
    for (const one of INDEXES) await addIndex(runner, 'outgoing_webhooks', one);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name = '' } of INDEXES) await runner.dropIndex('outgoing_webhooks', name);
  }
}
