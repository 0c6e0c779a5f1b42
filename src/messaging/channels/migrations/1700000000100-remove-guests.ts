import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Removes the roles of guests and makes their memberships ordinary ones. The start deactivates the accounts. */
export class RemoveGuests1700000000100 implements MigrationInterface {
  readonly name = 'RemoveGuests1700000000100';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['team_members', 'channel_members'])
      await runner.query(`UPDATE ${table} SET scheme_user = 1, scheme_guest = 0 WHERE scheme_guest = 1`);
    await runner.query("DELETE FROM roles WHERE name IN ('system_guest', 'team_guest', 'channel_guest')");
  }

  async down(): Promise<void> {}
}
