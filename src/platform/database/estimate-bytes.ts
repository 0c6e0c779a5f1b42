const WORD_BYTES = 8;
const HEADER_BYTES = 24;

/** About how many bytes plain data takes in memory: rows, lists and maps of them, texts. */
export function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return HEADER_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return WORD_BYTES;
  if (value instanceof Map || value instanceof Set) return estimateItems([...value.entries()]);
  return estimateItems(Array.isArray(value) ? value : Object.values(value));
}

function estimateItems(items: readonly unknown[]): number {
  let bytes = HEADER_BYTES;
  for (const item of items) bytes += WORD_BYTES + estimateBytes(item);
  return bytes;
}
