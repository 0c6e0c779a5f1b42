import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, bool, empty, id, index, text, zero } from '../../platform/database/table-columns.js';

const TABLE = 'outgoing_webhooks';
const INDEX = index('ix_outgoing_webhooks_bot', 'bot_user_id');
const COLUMNS = [
  text('events', 512, { default: "'message.triggered'" }),
  id('bot_user_id', empty),
  bool('include_bots', zero),
];

/** Adds the events that outgoing webhooks receive. */
export class AddEvents1795830000031 implements MigrationInterface {
  readonly name = 'AddEvents1795830000031';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, TABLE, COLUMNS, [INDEX]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex(TABLE, INDEX.name ?? '');
    await runner.dropColumns(
      TABLE,
      COLUMNS.map(({ name }) => name),
    );
  }
}
