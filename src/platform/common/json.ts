/// <reference lib="es2024.string" />

/** A decoded JSON object. */
export type JsonObject = Record<string, unknown>;

/** The maximum nesting depth of arrays and objects. */
export const MAX_JSON_DEPTH = 100;
/** The maximum length of a path in errors: keys may be as long as the body. */
const MAX_SHOWN_PATH = 256;

/** A JSON text is rejected. Messages name positions and keys, never values. */
export class JsonDecodeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** The text is empty or does not begin with a JSON value. */
export class JsonSyntaxError extends JsonDecodeError {}

/** The value is nested deeper than `MAX_JSON_DEPTH`. */
export class JsonTooDeepError extends JsonDecodeError {
  constructor() {
    super(`JSON nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
}

/** A string or a key contains a NUL character, which is never accepted (docs/contract/conventions.md#bodies). */
export class NulCharacterError extends JsonDecodeError {
  /** Its path, such as `attachments.0.text`; empty for a bare string. */
  readonly path: string;

  constructor(path: string) {
    const printable = path.slice(0, MAX_SHOWN_PATH).replaceAll('\0', '\\u0000');
    super(printable === '' ? 'NUL character' : `NUL character in ${printable}`);
    this.path = printable;
  }
}

/**
 * Decodes the first JSON value of `text` (docs/contract/conventions.md#bodies). Ignores a leading byte order
 * mark and trailing text; the last duplicate key wins; lone surrogates become U+FFFD. Throws JsonDecodeError.
 * Drops a key `__proto__` at any depth: for clients that copy an object key by key, its value would become
 * the prototype and bring in rejected fields.
 */
export function decodeJson(text: string): unknown {
  const json = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  if (mayBeTooDeep(json)) endOfFirstValue(json);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    value = parseFirstValue(json, error);
  }
  // Only escapes can produce NUL characters, lone surrogates or another spelling of a key: valid UTF-8 without them has none.
  return text.includes('\\u') || text.includes('\0') || text.includes(PROTOTYPE) ? cleaned(value, []) : value;
}

/** Whether `value` is a decoded JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lower-cases the keys; the last duplicate wins (docs/contract/conventions.md#bodies). May return `object`. */
export function foldKeys(object: JsonObject): JsonObject {
  const keys = Object.keys(object);
  if (keys.every((key) => key === key.toLowerCase())) return object;
  const folded = Object.create(null) as JsonObject;
  for (const key of keys) folded[key.toLowerCase()] = object[key];
  return folded;
}

/** The index of the quote that closes the JSON string opened at `open`, or -1. */
export function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close !== -1; close = text.indexOf('"', close + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(close - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return close;
  }
  return -1;
}

const BYTE_ORDER_MARK = '\ufeff';
const PROTOTYPE = '__proto__';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const WHITE_SPACE = /[ \t\r\n]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** A cheap pre-check without false negatives: few opening brackets cannot be nested too deep. */
function mayBeTooDeep(text: string): boolean {
  let opened = 0;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1))
      if (++opened > MAX_JSON_DEPTH) return true;
  return false;
}

/** The index after the first value, or -1 if it does not end. Throws JsonTooDeepError. */
function endOfFirstValue(text: string): number {
  WHITE_SPACE.lastIndex = 0;
  WHITE_SPACE.test(text);
  const start = WHITE_SPACE.lastIndex;
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i);
        if (i === -1 || depth === 0) return i === -1 ? -1 : i + 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > MAX_JSON_DEPTH) throw new JsonTooDeepError();
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (--depth <= 0) return i + 1;
        break;
      default:
        if (depth === 0) {
          SCALAR.lastIndex = start;
          return SCALAR.test(text) ? SCALAR.lastIndex : -1;
        }
    }
  }
  return -1;
}

/** The slow path when JSON.parse rejects the whole text: drops everything after the first value. */
function parseFirstValue(text: string, refusal: unknown): unknown {
  const end = endOfFirstValue(text);
  if (end === -1) throw syntaxError(text, refusal);
  // A raw NUL is not valid JSON; escaped, it reaches the check that can name its path.
  const value = text.slice(0, end).replaceAll('\0', '\\u0000');
  try {
    return JSON.parse(value);
  } catch (error) {
    throw syntaxError(text, error);
  }
}

/** V8's message without its excerpt of the text, which may contain a secret. */
function syntaxError(text: string, refusal: unknown): JsonSyntaxError {
  if (text.trim() === '') return new JsonSyntaxError('empty JSON text');
  const position = /at position (\d+)/.exec(String(refusal))?.[1];
  return new JsonSyntaxError(position ? `malformed JSON at position ${position}` : 'malformed JSON');
}

/** Makes strings well-formed and drops `__proto__` keys, in place. Throws NulCharacterError. */
function cleaned(value: unknown, path: string[]): unknown {
  if (typeof value === 'string') return cleanedString(value, path);
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    items.forEach((item, index) => {
      path.push(String(index));
      items[index] = cleaned(item, path);
      path.pop();
    });
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      path.push(key);
      const name = cleanedString(key, path);
      const result = cleaned(item, path);
      path.pop();
      if (name !== key || key === PROTOTYPE) delete value[key];
      if (key !== PROTOTYPE) value[name] = result;
    }
  }
  return value;
}

function cleanedString(text: string, path: readonly string[]): string {
  if (text.includes('\0')) throw new NulCharacterError(path.join('.'));
  return text.toWellFormed(); // UTF-8 cannot encode lone surrogates
}
