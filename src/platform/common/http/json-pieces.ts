import { isJsonObject } from '../json.js';

/** The number of items or members per piece. */
const PIECE = 16;
/** Single records have fewer members; an object with more is treated as a map. */
const MAX_MEMBERS = 64;

/** Whether a value has so many items that its text may be long. */
export function isLong(value: unknown): value is object {
  return hasMany(value) || (isJsonObject(value) && Object.values(value).some(hasMany));
}

/** Returns the JSON text of an object or array in pieces, so that long texts do not block. */
export function* jsonPieces(value: object): Generator<string> {
  if (hasOwnText(value)) yield JSON.stringify(value);
  else if (Array.isArray(value)) {
    for (let start = 0; start < value.length; start += PIECE)
      yield `${start === 0 ? '[' : ','}${JSON.stringify(value.slice(start, start + PIECE)).slice(1, -1)}`;
    yield value.length === 0 ? '[]' : ']';
  } else yield* memberPieces(Object.entries(value));
}

function* memberPieces(entries: readonly [string, unknown][]): Generator<string> {
  const size = entries.length > PIECE ? PIECE : 1;
  let isFirst = true;
  yield '{';
  for (let start = 0; start < entries.length; start += size) {
    const [[name, value] = ['', undefined], ...others] = entries.slice(start, start + size);
    const isAlone = size === 1 && isLong(value);
    const members = isAlone ? `${JSON.stringify(name)}:` : membersOf([[name, value], ...others]);
    if (members === '') continue;
    yield `${isFirst ? '' : ','}${members}`;
    if (isAlone) yield* jsonPieces(value);
    isFirst = false;
  }
  yield '}';
}

function membersOf(entries: [string, unknown][]): string {
  return JSON.stringify(Object.fromEntries(entries)).slice(1, -1);
}

function hasMany(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || hasOwnText(value)) return false;
  return Array.isArray(value) ? value.length > PIECE : Object.keys(value).length > MAX_MEMBERS;
}

function hasOwnText(value: object): boolean {
  return 'toJSON' in value;
}
