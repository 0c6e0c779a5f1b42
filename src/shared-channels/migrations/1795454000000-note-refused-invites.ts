import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addTextColumn } from '../../platform/database/table-columns.js';

/** Adds why a peer has refused an invite; empty for invites that were refused before. */
export class NoteRefusedInvites1795454000000 implements MigrationInterface {
  readonly name = 'NoteRefusedInvites1795454000000';

  async up(runner: QueryRunner): Promise<void> {
    await addTextColumn(runner, 'shared_channel_remotes', 'invite_error', 255);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('shared_channel_remotes', 'invite_error');
  }
}
