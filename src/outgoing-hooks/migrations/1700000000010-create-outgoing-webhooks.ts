import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  big,
  createTable,
  empty,
  id,
  index,
  int,
  json,
  longText,
  primary,
  text,
  times,
  zero,
} from '../../platform/database/table-columns.js';

/** Lists leave out deleted webhooks, and are ordered by age. */
const LISTED = ['delete_at', 'create_at', 'id'];

/** Creates outgoing webhooks. */
export class CreateOutgoingWebhooks1700000000010 implements MigrationInterface {
  readonly name = 'CreateOutgoingWebhooks1700000000010';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'outgoing_webhooks',
      [
        id('id', primary),
        ...times(),
        id('creator_id'),
        id('channel_id'),
        id('team_id'),
        json('trigger_words'),
        int('trigger_when'),
        json('callback_urls'),
        text('display_name', 64),
        text('description', 500),
        text('content_type', 128),
        text('username', 64),
        longText('icon_url'),
        text('sealed_token', 512),
        text('sealed_signing_secret', 512),
        text('sealed_previous_secret', 512),
        big('previous_signing_until'),
        big('disabled_at'),
        text('disabled_reason', 128),
        json('disabled_urls'),
        json('failing_urls'),
        id('set_by', empty),
        text('announced_pause', 32, empty),
        big('last_failure_at', zero),
        big('enabled_at', zero),
      ],
      [
        index('ix_outgoing_webhooks_set_by', 'set_by'),
        index('ix_outgoing_webhooks_all', ...LISTED, 'team_id', 'creator_id', 'channel_id'),
        index('ix_outgoing_webhooks_of_team', 'team_id', ...LISTED, 'creator_id', 'channel_id'),
        index('ix_outgoing_webhooks_of_channel', 'channel_id', ...LISTED, 'creator_id', 'team_id'),
        index('ix_outgoing_webhooks_of_creator', 'creator_id', ...LISTED, 'team_id', 'channel_id'),
      ],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('outgoing_webhooks');
  }
}
