import { decodeJson, endOfString, JsonSyntaxError } from '../../platform/common/json.js';

/** The keys whose values people type by hand, line breaks included (docs/contract/incoming-webhooks.md#media-types). */
const LENIENT_KEYS = new Set(['text', 'fallback', 'pretext', 'author_name', 'title', 'value']);

/**
 * JSON as hooks take it (docs/contract/incoming-webhooks.md#media-types): when it is malformed, raw newlines and tabs
 * inside the values of some keys are escaped and it gets a second try. Carriage returns are not rescued.
 */
export function decodeLenientJson(text: string): unknown {
  try {
    return decodeJson(text);
  } catch (error) {
    const rescued = error instanceof JsonSyntaxError ? escapeControls(text) : text;
    if (rescued === text) {
      throw error;
    }
    return decodeJson(rescued);
  }
}

/** One pass over the strings of `text`, each visited once. */
function escapeControls(text: string): string {
  let result = '';
  let copied = 0;
  let open = text.indexOf('"');
  while (open !== -1) {
    const close = endOfString(text, open);
    if (close === -1) {
      break;
    }
    let next = close + 1;
    const value = stringAfterColon(text, next);
    if (value !== -1) {
      const end = endOfString(text, value);
      if (end === -1) {
        break;
      }
      if (LENIENT_KEYS.has(text.slice(open + 1, close).toLowerCase())) {
        result += text.slice(copied, value) + escaped(text.slice(value, end));
        copied = end;
      }
      next = end + 1;
    }
    open = text.indexOf('"', next);
  }
  return result + text.slice(copied);
}

const COLON_AND_QUOTE = /[ \t\r\n]*:[ \t\r\n]*"/y;

/** Where the string begins that is the value of the key ending before `at`, or -1. */
function stringAfterColon(text: string, at: number): number {
  COLON_AND_QUOTE.lastIndex = at;
  return COLON_AND_QUOTE.test(text) ? COLON_AND_QUOTE.lastIndex - 1 : -1;
}

/** Leaves what a backslash precedes alone: escaping that would change its meaning. */
function escaped(value: string): string {
  return value.replace(/\\[^]|\n|\t/g, (found) => (found === '\n' ? '\\n' : found === '\t' ? '\\t' : found));
}
