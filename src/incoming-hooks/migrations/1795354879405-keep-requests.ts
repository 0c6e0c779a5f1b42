import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  addBooleanColumn,
  big,
  bool,
  createTable,
  id,
  index,
  int,
  json,
  longText,
  text,
} from '../../platform/database/table-columns.js';

const TABLE = 'incoming_webhook_requests';

/** Makes the table of kept calls, and lets a webhook keep those that were posted too. */
export class KeepRequests1795354879405 implements MigrationInterface {
  readonly name = 'KeepRequests1795354879405';

  async up(runner: QueryRunner): Promise<void> {
    await addBooleanColumn(runner, 'incoming_webhooks', 'keep_requests');
    await createTable(
      runner,
      TABLE,
      [
        id('id', { isPrimary: true }),
        id('hook_id'),
        big('create_at'),
        int('status'),
        text('error_id', 128),
        longText('message'),
        int('body_size'),
        bool('is_cut'),
        int('not_understood'),
        json('content'),
      ],
      [
        index(`ix_${TABLE}_hook`, 'hook_id', 'create_at', 'id'),
        index(`ix_${TABLE}_create`, 'create_at', 'id'),
      ],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE);
    await runner.query('ALTER TABLE incoming_webhooks DROP COLUMN keep_requests');
  }
}
