import { Entity, ForeignKey, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  IntColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../platform/database/columns.js';
import { User } from '../users/user.entity.js';

/** A personal access token, of which only the hash is stored (docs/contract/messaging.md#personal-access-tokens). */
@Entity('user_access_tokens')
@Index('ux_user_access_tokens_token', ['tokenHash'], { unique: true })
@Index('ix_user_access_tokens_created', ['createAt', 'id'])
@Index('ix_user_access_tokens_of_user', ['userId', 'createAt', 'id'])
@Index('ix_user_access_tokens_expires', ['expiresAt'])
@ForeignKey(() => User, ['userId'], ['id'], { name: 'fk_user_access_tokens_user', onDelete: 'CASCADE' })
export class UserAccessToken {
  @PrimaryIdColumn() id: string;
  @TextColumn(64) tokenHash: string;
  @IdColumn() userId: string;
  @TextColumn(255) description: string;
  @BooleanColumn() isActive: boolean;
  @BigColumn() createAt: number;
  /** When it stops working; 0: never. */
  @BigColumn({ default: 0 }) expiresAt: number;
  /** How many reminders of the expiry its user has got. */
  @IntColumn({ default: 0 }) expiryReminders: number;
  /** Within a few minutes; 0: never. */
  @BigColumn({ default: 0 }) lastUsed: number;
}
