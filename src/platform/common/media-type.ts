import { TextDecoder } from 'node:util';

/** A Content-Type header is malformed, or names an unknown charset. */
export class MediaTypeError extends Error {
  override readonly name = 'MediaTypeError';
}

/** A parsed Content-Type header. */
export interface MediaType {
  /** Lower case, without parameters: `application/json`. */
  readonly type: string;
  /** By lower-case name; empty if any parameter is malformed. */
  readonly parameters: ReadonlyMap<string, string>;
}

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();
const JSON_TYPE: MediaType = { type: 'application/json', parameters: NO_PARAMETERS };
const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const TYPE = new RegExp(`^${TOKEN}(?:/${TOKEN})?$`);
const PARAMETER = new RegExp(
  `\\s*;\\s*(${TOKEN})\\s*=\\s*(?:(${TOKEN})|"((?:[^"\\\\\\r\\n]|\\\\[^\\r\\n])*)")`,
  'y',
);

/**
 * Parses a Content-Type header as Go's mime.ParseMediaType does (docs/contract/incoming-webhooks.md#media-types): text
 * after the subtype and repeated parameters are errors; if a parameter is malformed, such as one without a value, all
 * parameters are dropped. Undefined for an absent header. Throws MediaTypeError.
 */
export function parseMediaType(header: string | undefined): MediaType | undefined {
  if (header === 'application/json') return JSON_TYPE;
  if (header === undefined || header.trim() === '') return undefined;
  const semicolon = header.indexOf(';');
  const type = (semicolon === -1 ? header : header.slice(0, semicolon)).trim().toLowerCase();
  if (!TYPE.test(type)) throw new MediaTypeError('malformed media type');
  const parameters = semicolon === -1 ? NO_PARAMETERS : parseParameters(header, semicolon);
  return { type, parameters };
}

/** Decodes a body; UTF-8 without a charset, with U+FFFD for invalid bytes. Throws MediaTypeError. */
export function decodeText(bytes: Buffer, charset: string | undefined): string {
  if (charset === undefined || UTF_8.test(charset.trim())) {
    const text = bytes.toString('utf8');
    return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  }
  return decoderFor(charset).decode(bytes);
}

const UTF_8 = /^(?:utf-?8|(?:us-)?ascii)?$/i;
const BYTE_ORDER_MARK = 0xfeff;

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    throw new MediaTypeError(`unknown charset ${JSON.stringify(charset.slice(0, 40))}`);
  }
}

function parseParameters(header: string, start: number): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  let at = start;
  while (!/^[\s;]*$/.test(header.slice(at))) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(header);
    if (!match) return NO_PARAMETERS;
    const [, name = '', token, quoted = ''] = match;
    const key = name.toLowerCase();
    if (parameters.has(key)) throw new MediaTypeError(`repeated media type parameter ${key.slice(0, 40)}`);
    parameters.set(key, token ?? unquoted(quoted));
    at = PARAMETER.lastIndex;
  }
  return parameters;
}

/** A backslash escapes only non-token characters: browsers send `C:\dev\go` unescaped. */
function unquoted(text: string): string {
  return text.replace(/\\([^!#$%&'*+\-.^_`|~0-9A-Za-z])/g, '$1');
}
