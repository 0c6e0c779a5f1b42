import { Entity, Index } from 'typeorm';
import {
  IntColumn,
  PrimaryBigColumn,
  PrimaryIntColumn,
  PrimaryTextColumn,
} from '../../platform/database/columns.js';
import { COUNT_COLUMNS } from './counts.js';

/** The counts of one subject in a time span. Processes add to the same rows. */
@Entity('delivery_stats')
@Index('ix_delivery_stats_start', ['stepSeconds', 'startAt'])
export class DeliveryStat {
  /** A webhook id, the origin of an endpoint, or empty for the total. */
  @PrimaryTextColumn(300) subject: string;
  @PrimaryIntColumn() stepSeconds: number;
  @PrimaryBigColumn() startAt: number;
}

for (const name of COUNT_COLUMNS) IntColumn({ name })(DeliveryStat.prototype, name);
