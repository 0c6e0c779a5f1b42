import { Entity, Index } from 'typeorm';
import {
  IntColumn,
  PrimaryBigColumn,
  PrimaryIntColumn,
  PrimaryTextColumn,
} from '../../platform/database/columns.js';
import { COUNT_COLUMNS } from './counts.js';

/** What was counted of one subject in a span of time. Processes add to the same rows. */
@Entity('delivery_stats')
@Index('ix_delivery_stats_start', ['stepSeconds', 'startAt'])
export class DeliveryStat {
  /** The id of a webhook, the origin of an endpoint, or empty: all of them. */
  @PrimaryTextColumn(300) subject: string;
  @PrimaryIntColumn() stepSeconds: number;
  @PrimaryBigColumn() startAt: number;
}

for (const name of COUNT_COLUMNS) IntColumn({ name })(DeliveryStat.prototype, name);
