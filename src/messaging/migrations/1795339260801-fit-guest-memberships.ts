import type { MigrationInterface, QueryRunner } from 'typeorm';

const GUESTS = "SELECT id FROM users WHERE INSTR(CONCAT(' ', roles, ' '), ' system_guest ') > 0";

/**
 * Gives the memberships of guests the roles of guests, and those of everybody else no role of a guest. Accounts changed
 * without their memberships before.
 */
export class FitGuestMemberships1795339260801 implements MigrationInterface {
  readonly name = 'FitGuestMemberships1795339260801';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['team_members', 'channel_members']) {
      await runner.query(
        `UPDATE ${table} SET scheme_guest = 1, scheme_user = 0, scheme_admin = 0, explicit_roles = '' WHERE user_id IN (${GUESTS})`,
      );
      await runner.query(
        `UPDATE ${table} SET scheme_guest = 0, scheme_user = 1 WHERE scheme_guest = 1 AND user_id NOT IN (${GUESTS})`,
      );
    }
  }

  /** The roles that were there before are not known any more, and the version before reads these. */
  async down(): Promise<void> {
    // nothing
  }
}
