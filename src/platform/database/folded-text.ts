import { dialect } from '../config/dialect.js';

/** What `foldedPosition` is called on the embedded database, whose own LOWER knows ASCII only. */
export const POSITION_FUNCTION = 'hookline_position';

/**
 * SQL for the place at which `text` holds `term`, counted from 1 and whatever the case of the letters; 0 when it does
 * not. Both are SQL, and both are folded by the same side: databases know other letters than JavaScript does.
 */
export function textPosition(text: string, term: string): string {
  if (dialect === 'sqlite') return `${POSITION_FUNCTION}(${text}, ${term})`;
  return `INSTR(${folded(text)}, ${folded(term)})`;
}

/** Letters in lower case, one for one, so that `İ` is an `i`; a sigma is one wherever in the word it stands. */
export function foldCase(text: string): string {
  return text.replace(/İ/g, 'i').toLowerCase().replace(/ς/g, 'σ');
}

/** `textPosition` for the embedded database. */
export function foldedPosition(text: unknown, term: unknown): number {
  if (typeof text !== 'string' || typeof term !== 'string') return 0;
  return foldCase(text).indexOf(foldCase(term)) + 1;
}

function folded(text: string): string {
  return `REPLACE(LOWER(${text} COLLATE utf8mb4_bin), 'ς', 'σ')`;
}
