import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, big, index, int, zero } from '../../../platform/database/table-columns.js';

const TABLE = 'user_access_tokens';
const INDEX = 'ix_user_access_tokens_expires';

/** Adds the expiry and the last use of personal access tokens. */
export class ExpireUserAccessTokens1700000000105 implements MigrationInterface {
  readonly name = 'ExpireUserAccessTokens1700000000105';

  async up(runner: QueryRunner): Promise<void> {
    const columns = [big('expires_at', zero), int('expiry_reminders', zero), big('last_used', zero)];
    await addColumns(runner, TABLE, columns, [index(INDEX, 'expires_at')]);
  }

  async down(): Promise<void> {}
}
