import { Entity, ForeignKey, Index } from 'typeorm';
import { BigColumn, BooleanColumn, PrimaryIdColumn, TextColumn } from '../../platform/database/columns.js';
import { User } from '../users/user.entity.js';
import { Team } from './team.entity.js';

/** A membership in a team; `deleteAt` above 0 means the user has left (docs/contract/messaging.md#team-members). */
@Entity('team_members')
@Index('ix_team_members_user', ['userId'])
@ForeignKey(() => Team, ['teamId'], ['id'], { name: 'fk_team_members_team', onDelete: 'CASCADE' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'fk_team_members_user', onDelete: 'CASCADE' })
export class TeamMember {
  @PrimaryIdColumn() teamId: string;
  @PrimaryIdColumn() userId: string;
  /** Roles in addition to those of the scheme flags, separated by spaces. */
  @TextColumn(256) explicitRoles: string;
  /** Always false; migrations drop no columns. */
  @BooleanColumn() schemeGuest: boolean;
  @BooleanColumn() schemeUser: boolean;
  @BooleanColumn() schemeAdmin: boolean;
  @BigColumn() createAt: number;
  @BigColumn() deleteAt: number;
}
