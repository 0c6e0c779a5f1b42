import { Logger } from '@nestjs/common';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secretHash } from '../../platform/audit/audit.service.js';
import { addTextColumn } from '../../platform/database/table-columns.js';

const BATCH = 50;

interface Row {
  readonly id: string;
  readonly display_name: string;
  readonly username: string;
}

/**
 * Keeps who made a webhook. For those that are stored nobody knows: they count as made by their owners, and the log names
 * once those of system administrators, since anybody who managed webhooks could have made them.
 */
export class AddHookMakers1795339963693 implements MigrationInterface {
  readonly name = 'AddHookMakers1795339963693';

  async up(runner: QueryRunner): Promise<void> {
    await addTextColumn(runner, 'incoming_webhooks', 'maker_id', 26);
    await runner.query("UPDATE incoming_webhooks SET maker_id = user_id WHERE maker_id = ''");
    await listForReview(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE incoming_webhooks DROP COLUMN maker_id');
  }
}

async function listForReview(runner: QueryRunner): Promise<void> {
  const logger = new Logger('IncomingHooks');
  for (let last = ''; ;) {
    const rows = (await runner.query(
      `SELECT h.id, h.display_name, u.username FROM incoming_webhooks h JOIN users u ON u.id = h.user_id
       WHERE h.id > ? AND h.delete_at = 0 AND INSTR(CONCAT(' ', u.roles, ' '), ' system_admin ') > 0
       ORDER BY h.id LIMIT ${BATCH}`,
      [last],
    )) as Row[];
    if (rows.length === 0) return;
    last = rows[rows.length - 1]?.id ?? '';
    const hooks = rows.map(
      ({ id, display_name: name, username }) => `${JSON.stringify(name)} (${secretHash(id)}) of ${username}`,
    );
    logger.warn(
      `Who made these incoming webhooks of administrators is not known. They may post direct messages in that name. Delete those that nobody vouches for: ${hooks.join(', ')}`,
    );
  }
}
