import type { JsonObject } from '../../../platform/common/json.js';
import type { Findings } from '../findings.js';
import type { Target, TargetRows } from '../target-rows.js';

/** A row to import, and its table here. */
export type ImportedRow = { readonly [T in Target]: { readonly to: T; readonly row: TargetRows[T] } }[Target];

/** Finds what exists here by name, so that an export adds to it. */
export interface Existing {
  user(username: string): Promise<string | undefined>;
  team(name: string): Promise<string | undefined>;
  channel(teamId: string, name: string): Promise<string | undefined>;
}

/** Where the findings about lines go. */
export interface BulkNotes {
  readonly left: Findings;
  readonly notMoved: Findings;
  readonly warnings: Findings;
}

/** The values of a line as columns. */
export function flat(value: JsonObject): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (typeof item === 'string' || typeof item === 'number') return [name, item];
      return [name, typeof item === 'boolean' ? Number(item) : item == null ? null : JSON.stringify(item)];
    }),
  );
}

export function textIn(value: JsonObject, name: string): string {
  const text = value[name];
  return typeof text === 'string' ? text : '';
}

export function objectsIn(value: JsonObject, name: string): JsonObject[] {
  const list = value[name];
  return Array.isArray(list)
    ? list.filter((item): item is JsonObject => typeof item === 'object' && item !== null)
    : [];
}

/** Usernames in the first of these lists that exists, which contain names or objects. */
export function namesIn(value: JsonObject, ...names: readonly string[]): string[] {
  const list = names.map((name) => value[name]).find(Array.isArray) as unknown[] | undefined;
  return (list ?? []).map((item) =>
    typeof item === 'string' ? item : textIn(item as JsonObject, 'username'),
  );
}
