import { Entity } from 'typeorm';
import { BigColumn, IdColumn, PrimaryTextColumn } from '../columns.js';

/** When scheduled work is next due, if several processes share the database. */
@Entity('schedules')
export class ScheduleRow {
  @PrimaryTextColumn(64) name: string;
  @BigColumn() nextAt: number;
  /** The process of the last run. */
  @IdColumn() runner: string;
}
