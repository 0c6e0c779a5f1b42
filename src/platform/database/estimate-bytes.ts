const WORD_BYTES = 8;
const HEADER_BYTES = 24;
/** A string with such a character uses two bytes per character. */
const WIDE = /[\u0100-\uffff]/;

/** The approximate size in memory of plain data: rows, arrays, maps, strings. */
export function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return HEADER_BYTES + value.length * (WIDE.test(value) ? 2 : 1);
  if (typeof value !== 'object' || value === null) return WORD_BYTES;
  if (value instanceof Map || value instanceof Set) return estimateItems([...value.entries()]);
  return estimateItems(Array.isArray(value) ? value : Object.values(value));
}

function estimateItems(items: readonly unknown[]): number {
  let bytes = HEADER_BYTES;
  for (const item of items) bytes += WORD_BYTES + estimateBytes(item);
  return bytes;
}
