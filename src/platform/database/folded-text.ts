import { dialect } from '../config/settings.js';

/** The SQL name of `foldedPosition` on SQLite, whose own LOWER folds only ASCII. */
export const POSITION_FUNCTION = 'hookline_position';

/**
 * SQL for the position of `term` in `text`, case-insensitive and counted from 1; 0 if it does not occur. Both arguments
 * are SQL expressions, so that the database folds both: its case rules differ from JavaScript's.
 */
export function textPosition(text: string, term: string): string {
  if (dialect === 'sqlite') return `${POSITION_FUNCTION}(${text}, ${term})`;
  return `INSTR(${folded(text)}, ${folded(term)})`;
}

/** Lower case with an unchanged length, so `İ` becomes `i`. A final sigma folds like any other. */
export function foldCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
}

/** The implementation of `textPosition` on SQLite. */
export function foldedPosition(text: unknown, term: unknown): number {
  if (typeof text !== 'string' || typeof term !== 'string') return 0;
  return foldCase(text).indexOf(foldCase(term)) + 1;
}

function folded(text: string): string {
  return `REPLACE(LOWER(${text} COLLATE utf8mb4_bin), 'ς', 'σ')`;
}
