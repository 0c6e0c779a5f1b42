import { decodeJson, endOfString, JsonSyntaxError } from '../../../platform/common/json.js';

/** Keys whose values may contain raw line breaks and tabs (docs/contract/incoming-webhooks.md#media-types). */
const LENIENT_KEYS = new Set(['text', 'fallback', 'pretext', 'author_name', 'title', 'value']);

/**
 * Decodes JSON as webhooks accept it, in payloads and in replies (docs/contract/incoming-webhooks.md#media-types): if it is malformed, raw newlines and
 * tabs in the values of some keys are escaped, and it is decoded again. Carriage returns stay invalid. Throws
 * JsonDecodeError.
 */
export function decodeLenientJson(text: string): unknown {
  try {
    return decodeJson(text);
  } catch (error) {
    const repaired = error instanceof JsonSyntaxError ? escapeControls(text) : text;
    if (repaired === text) {
      throw error;
    }
    return decodeJson(repaired);
  }
}

/** Escapes newlines and tabs in the values of lenient keys, in one pass. */
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

/** The start of the string value of the key that ends before `at`, or -1. */
function stringAfterColon(text: string, at: number): number {
  COLON_AND_QUOTE.lastIndex = at;
  return COLON_AND_QUOTE.test(text) ? COLON_AND_QUOTE.lastIndex - 1 : -1;
}

/** Skips characters after a backslash, since escaping them would change their meaning. */
function escaped(value: string): string {
  return value.replace(/\\[^]|\n|\t/g, (found) => (found === '\n' ? '\\n' : found === '\t' ? '\\t' : found));
}
