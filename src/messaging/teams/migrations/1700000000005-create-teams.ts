import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  big,
  bool,
  createTable,
  empty,
  foreignKey,
  id,
  index,
  primary,
  text,
  times,
  unique,
} from '../../../platform/database/table-columns.js';

/** Creates teams and their members. */
export class CreateTeams1700000000005 implements MigrationInterface {
  readonly name = 'CreateTeams1700000000005';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'teams',
      [
        id('id', primary),
        ...times(),
        text('display_name', 64),
        text('name', 64),
        text('description', 255),
        text('email', 128),
        text('type', 1),
        text('company_name', 64),
        text('allowed_domains', 500),
        id('invite_id'),
        bool('allow_open_invite'),
        id('creator_id', empty),
      ],
      [
        unique('ux_teams_name', 'name'),
        index('ix_teams_invite', 'invite_id'),
        index('ix_teams_creator', 'creator_id'),
        index('ix_teams_display', 'display_name', 'id', 'delete_at', 'allow_open_invite'),
      ],
    );
    await createTable(
      runner,
      'team_members',
      [
        id('team_id', primary),
        id('user_id', primary),
        text('explicit_roles', 256),
        bool('scheme_guest'),
        bool('scheme_user'),
        bool('scheme_admin'),
        big('create_at'),
        big('delete_at'),
      ],
      [index('ix_team_members_user', 'user_id')],
      [
        foreignKey('fk_team_members_team', 'team_id', 'teams'),
        foreignKey('fk_team_members_user', 'user_id', 'users'),
      ],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['team_members', 'teams']) await runner.dropTable(table);
  }
}
