import { Entity, ForeignKey, Index } from 'typeorm';
import {
  BigColumn,
  IdColumn,
  JsonColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../platform/database/columns.js';
import { User } from '../users/user.entity.js';

/** How long an unused session lasts (docs/contract/messaging.md#sessions). */
export const SESSION_LENGTH_MS = 720 * 3_600_000;

/** A signed-in client (docs/contract/messaging.md#sessions). Its tokens are stored as hashes. */
@Entity('sessions')
@Index('ux_sessions_token', ['tokenHash'], { unique: true })
@Index('ix_sessions_user', ['userId'])
@ForeignKey(() => User, ['userId'], ['id'], { name: 'fk_sessions_user', onDelete: 'CASCADE' })
export class Session {
  @PrimaryIdColumn() id: string;
  @TextColumn(64) tokenHash: string;
  @TextColumn(64) csrfHash: string;
  @IdColumn() userId: string;
  @BigColumn() createAt: number;
  /** 0 = never. */
  @BigColumn() expiresAt: number;
  @BigColumn() lastActivityAt: number;
  @TextColumn(512) deviceId: string;
  @JsonColumn() props: Record<string, string>;
}
