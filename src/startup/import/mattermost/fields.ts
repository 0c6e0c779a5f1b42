import { isId } from '../../../platform/common/ids.js';
import type { JsonObject } from '../../../platform/common/json.js';
import { MAX_SEQUENCE_MS } from '../../../platform/common/sequence.js';
import { byteLength } from '../../../platform/common/utf8.js';
import type { Findings } from '../findings.js';
import type { SourceRow } from './source.js';

/**
 * Reads the values of a source row. A missing column or NULL is the default of its type, and what does not fit is made
 * to fit and noted.
 */
export class Fields {
  constructor(
    private readonly row: SourceRow,
    private readonly notes: Findings,
    /** Names the row in notes. */
    private readonly label: string,
  ) {}

  note(kind: string, detail = ''): void {
    this.notes.add(kind, detail === '' ? this.label : `${this.label}: ${detail}`);
  }

  /** At most `maxLength` characters. */
  text(column: string, maxLength = Infinity): string {
    const value = this.row[column];
    const text = value == null ? '' : String(value);
    if (text.includes('\ufffd')) this.note('invalid characters', column);
    if (text.length <= maxLength) return text;
    this.note('shortened', column);
    return cut(text, maxLength);
  }

  /** At most `maxBytes` bytes of UTF-8. */
  bytes(column: string, maxBytes: number): string {
    let text = this.text(column);
    if (byteLength(text) <= maxBytes) return text;
    this.note('shortened', column);
    text = cut(text, maxBytes);
    while (byteLength(text) > maxBytes) text = cut(text, text.length - 1);
    return text;
  }

  /** An id, or empty. */
  id(column: string): string {
    const id = this.text(column);
    return isId(id) ? id : '';
  }

  flag(column: string): boolean {
    return Number(this.row[column] ?? 0) !== 0;
  }

  /** Whether the column has a value. */
  has(column: string): boolean {
    return this.row[column] != null;
  }

  /** Milliseconds since the epoch; 0 for never. */
  time(column: string): number {
    const time = Number(this.row[column] ?? 0);
    if (Number.isSafeInteger(time) && time >= 0 && time <= MAX_SEQUENCE_MS) return time;
    this.note('impossible time', column);
    return time > MAX_SEQUENCE_MS ? MAX_SEQUENCE_MS : 0;
  }

  count(column: string): number {
    const count = Number(this.row[column] ?? 0);
    return Number.isSafeInteger(count) && count > 0 ? Math.min(count, 0x7fff_ffff) : 0;
  }

  names(column: string): string[] {
    return [...new Set(this.text(column).split(/\s+/).filter(Boolean))];
  }

  list(column: string): string[] {
    const value = this.json(column);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }

  object(column: string): JsonObject {
    const value = this.json(column);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  }

  /** An object of texts. */
  texts(column: string): Record<string, string> {
    const entries = Object.entries(this.object(column)).filter(([, value]) => value !== null);
    return Object.fromEntries(
      entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    );
  }

  objects(column: string): JsonObject[] {
    const value = this.json(column);
    return Array.isArray(value) ? (value as JsonObject[]) : [];
  }

  private json(column: string): unknown {
    const text = this.text(column);
    if (text === '') return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      this.note('invalid JSON', column);
      return undefined;
    }
  }
}

/** The beginning of a text, without half a surrogate pair. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
