import { Entity } from 'typeorm';
import { BigColumn, PrimaryIdColumn, TextColumn } from '../columns.js';

/** The one row by which a database is known again: its id, and the keys that its sealed texts need. */
@Entity('installation')
export class InstallationRow {
  @PrimaryIdColumn() id: string;
  @BigColumn() createAt: number;
  /** The ids of the keys under which texts may be sealed, with spaces between them. */
  @TextColumn(255) keyIds: string;
}
