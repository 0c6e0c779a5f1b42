import { dialect } from '../config/dialect.js';

/**
 * A table in a FROM clause that is read by this index. For statements whose index the planner does not find by itself in
 * large tables: for `x = ? AND y < ?` in the order of `y`, MariaDB reads all of `x` rather than the range.
 */
export const byIndex = (table: string, index: string): string =>
  dialect === 'mysql' ? `${table} FORCE INDEX (${index})` : `${table} INDEXED BY ${index}`;
