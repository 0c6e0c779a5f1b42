import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, empty, text, unique } from '../../platform/database/table-columns.js';

const TABLE = 'incoming_webhooks';

/** Adds the Slack paths of incoming webhooks. They are unique, so a webhook without one has its id there. */
export class AddSlackPaths1700000000106 implements MigrationInterface {
  readonly name = 'AddSlackPaths1700000000106';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, TABLE, [text('slack_path', 110, empty)]);
    await runner.query(`UPDATE ${TABLE} SET slack_path = id WHERE slack_path = ''`);
    await addColumns(runner, TABLE, [], [unique('ux_incoming_webhooks_slack_path', 'slack_path')]);
  }

  async down(): Promise<void> {}
}
