const REDACTED = '[redacted]';
/** A shorter prefix of a secret reveals nothing useful. */
const MIN_PART = 8;
/** The longest encoding of a character: `\u002f`. */
const MAX_SPELLING = 6;

/** An escape, or the beginning of one at which the text was cut off. */
const JSON_ESCAPE = /\\(?:u00([\da-f]{2})|u[\da-f]{0,3}$|([^u])|$)/gi;
const PERCENT_ESCAPE = /%(?:([\da-f]{2})|[\da-f]?$)/gi;
const FORM_ESCAPE = /%(?:([\da-f]{2})|[\da-f]?$)|(\+)/gi;
/** The meaning of characters after a backslash, and of `+` in a form; others mean themselves. */
const JSON_CHARACTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const FORM_CHARACTERS: Readonly<Record<string, string>> = { '+': ' ' };

/** A text with escapes decoded. */
interface Reading {
  readonly text: string;
  /** Where each of its characters begins in the original, and where the original ends; undefined: at the same place. */
  readonly starts: Uint32Array | undefined;
}

/** Replaces secrets in a text, including JSON- or form-encoded ones and one cut off at the end. */
export function redact(text: string, secrets: readonly string[]): string {
  return covered(text, coverOf(text, secrets, true), text.length);
}

/** Replaces secrets in a text that was not truncated. */
export function redactWhole(text: string, secrets: readonly string[]): string {
  return covered(text, coverOf(text, secrets, false), text.length);
}

/** The first `maxBytes` of a body with secrets redacted, including one that crosses the limit. */
export function redactedStart(body: Buffer, maxBytes: number, secrets: readonly string[]): Buffer {
  if (secrets.length === 0 || body.length === 0) return body.subarray(0, maxBytes);
  const longest = MAX_SPELLING * Math.max(...secrets.map(({ length }) => length));
  const text = body.subarray(0, maxBytes + longest).toString('latin1'); // one character per byte
  return Buffer.from(covered(text, coverOf(text, secrets, true), maxBytes), 'latin1');
}

/** The first `length` characters of a text, with each covered part replaced. */
function covered(text: string, cover: Uint32Array | undefined, length: number): string {
  if (!cover) return text.slice(0, length);
  const pieces: string[] = [];
  let end = 0;
  for (const [start, secretEnd] of cover.subarray(0, length).entries()) {
    if (secretEnd === 0) continue;
    if (start >= end) pieces.push(text.slice(end, start), REDACTED);
    end = Math.max(end, secretEnd);
  }
  return pieces.join('') + text.slice(end, Math.max(end, length));
}

/** For each character, where the longest secret ends that begins there, or 0; undefined if there are none. */
function coverOf(text: string, secrets: readonly string[], canBeCut: boolean): Uint32Array | undefined {
  let cover: Uint32Array | undefined;
  const readings = readingsOf(text);
  for (const secret of new Set(secrets)) {
    if (secret === '') continue;
    const beginning = secret.slice(0, MIN_PART);
    const hits = readings.filter((reading) => reading.text.includes(beginning)); // the usual case: none
    if (hits.length === 0) continue;
    cover ??= new Uint32Array(text.length);
    const borders = bordersOf(secret);
    for (const { text: read, starts } of hits)
      for (const [start, end] of occurrences(read, secret, borders, canBeCut)) {
        const from = starts?.[start] ?? start;
        cover[from] = Math.max(cover[from] ?? 0, starts?.[end] ?? end);
      }
  }
  return cover;
}

/** The text as it is and as decoded from JSON, each also as decoded from a URL or a form. */
function readingsOf(text: string): readonly Reading[] {
  const plain: Reading = { text, starts: undefined };
  const readings = [plain];
  if (text.includes('\\')) readings.push(decoded(plain, JSON_ESCAPE, JSON_CHARACTERS));
  for (const reading of [...readings]) {
    if (reading.text.includes('%')) readings.push(decoded(reading, PERCENT_ESCAPE));
    if (reading.text.includes('+')) readings.push(decoded(reading, FORM_ESCAPE, FORM_CHARACTERS));
  }
  return readings;
}

function decoded(
  { text, starts: origins }: Reading,
  escape: RegExp,
  characters: Readonly<Record<string, string>> = {},
): Reading {
  const starts = new Uint32Array(text.length + 1);
  const pieces: string[] = [];
  let length = 0;
  let end = 0;
  const add = (piece: string, start: number): void => {
    pieces.push(piece);
    for (let index = 0; index < piece.length; index++)
      starts[length++] = origins?.[start + index] ?? start + index;
  };
  for (const { index, 0: found, 1: hex, 2: character = '' } of text.matchAll(escape)) {
    add(text.slice(end, index), end);
    add(hex ? String.fromCharCode(parseInt(hex, 16)) : (characters[character] ?? character), index);
    end = index + found.length;
  }
  add(text.slice(end), end);
  starts[length] = origins?.[text.length] ?? text.length;
  return { text: pieces.join(''), starts };
}

/**
 * Where a secret occurs in a text, also where occurrences overlap, and on request where its beginning ends the text
 * (Knuth, Morris and Pratt: linear, whatever the secret).
 */
function* occurrences(
  text: string,
  secret: string,
  borders: Uint32Array,
  canBeCut: boolean,
): Generator<readonly [start: number, end: number]> {
  let length = 0; // of the longest beginning of the secret that ends here
  for (let index = 0; index < text.length; index++) {
    length = extended(secret, borders, length, text.charCodeAt(index));
    if (length < secret.length) continue;
    yield [index + 1 - length, index + 1];
    length = borders[length] ?? 0;
  }
  if (canBeCut && length >= MIN_PART) yield [text.length - length, text.length];
}

/** For each length of a beginning of the secret: the longest shorter beginning with which it ends. */
function bordersOf(secret: string): Uint32Array {
  const borders = new Uint32Array(secret.length + 1);
  for (let index = 1; index < secret.length; index++)
    borders[index + 1] = extended(secret, borders, borders[index] ?? 0, secret.charCodeAt(index));
  return borders;
}

function extended(secret: string, borders: Uint32Array, length: number, code: number): number {
  let matched = length;
  while (matched > 0 && secret.charCodeAt(matched) !== code) matched = borders[matched] ?? 0;
  return secret.charCodeAt(matched) === code ? matched + 1 : matched;
}
