/**
 * The entries that have a value. In a request `undefined` means "not said", so a change made of what was said has no
 * such keys: spread over a record it leaves the others as they are.
 */
export function definedOnly<T extends object>(entries: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
