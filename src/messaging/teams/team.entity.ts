import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../platform/database/columns.js';

/** A team, which contains channels, members and webhooks (docs/contract/messaging.md#teams). */
@Entity('teams')
@Index('ux_teams_name', ['name'], { unique: true })
@Index('ix_teams_display', ['displayName', 'id', 'deleteAt', 'allowOpenInvite'])
@Index('ix_teams_invite', ['inviteId'])
@Index('ix_teams_creator', ['creatorId'])
export class Team {
  @PrimaryIdColumn() id: string;
  @BigColumn() createAt: number;
  @BigColumn() updateAt: number;
  /** When it was archived; 0 if active. */
  @BigColumn() deleteAt: number;
  @TextColumn(64) displayName: string;
  @TextColumn(64) name: string;
  @TextColumn(255) description: string;
  @TextColumn(128) email: string;
  /** `O` open or `I` invite-only. */
  @TextColumn(1) type: string;
  @TextColumn(64) companyName: string;
  @TextColumn(500) allowedDomains: string;
  @IdColumn() inviteId: string;
  @BooleanColumn() allowOpenInvite: boolean;
  /** Empty for teams created in local mode. */
  @IdColumn({ default: '' }) creatorId: string;
}
