import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, emptyText, longText } from '../../platform/database/table-columns.js';

const TABLE = 'outgoing_webhooks';
const COLUMNS = ['headers', 'sealed_headers', 'auth', 'sealed_auth'];

/** Adds headers and credentials of the calls of outgoing webhooks. */
export class AddCallCredentials1795826700001 implements MigrationInterface {
  readonly name = 'AddCallCredentials1795826700001';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(
      runner,
      TABLE,
      COLUMNS.map((name) => longText(name, emptyText)),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns(TABLE, COLUMNS);
  }
}
