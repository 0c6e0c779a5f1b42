import { Entity, ForeignKey } from 'typeorm';
import { LongTextColumn, PrimaryIdColumn, PrimaryTextColumn } from '../../platform/database/columns.js';
import { User } from './user.entity.js';

/** One stored client setting of a user (docs/contract/messaging.md#preferences). */
@Entity('preferences')
@ForeignKey(() => User, ['userId'], ['id'], { name: 'fk_preferences_user', onDelete: 'CASCADE' })
export class Preference {
  @PrimaryIdColumn() userId: string;
  @PrimaryTextColumn(32) category: string;
  @PrimaryTextColumn(32) name: string;
  @LongTextColumn() value: string;
}
