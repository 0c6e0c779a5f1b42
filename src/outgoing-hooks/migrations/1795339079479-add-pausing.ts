import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addTextColumn } from '../../platform/database/table-columns.js';

/** Adds who last said where a hook watches and calls, for stored ones the creator, and what was announced of its pause. */
export class AddPausing1795339079479 implements MigrationInterface {
  readonly name = 'AddPausing1795339079479';

  async up(runner: QueryRunner): Promise<void> {
    await addTextColumn(runner, 'outgoing_webhooks', 'set_by', 26);
    await runner.query("UPDATE outgoing_webhooks SET set_by = creator_id WHERE set_by = ''");
    await addTextColumn(runner, 'outgoing_webhooks', 'announced_pause', 32);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['announced_pause', 'set_by'])
      await runner.query(`ALTER TABLE outgoing_webhooks DROP COLUMN ${name}`);
  }
}
