const REDACTED = '[redacted]';
/** A shorter prefix of a secret reveals nothing useful. */
const MIN_PART = 8;
/** The longest encoding of a character: `\u002f`. */
const MAX_SPELLING = 6;

const patterns = new WeakMap<readonly string[], RegExp>();

/** Replaces secrets in a text, including JSON- or form-encoded ones and one cut off at the end. */
export function redact(text: string, secrets: readonly string[]): string {
  return withoutPart(redactWhole(text, secrets), secrets);
}

/** Replaces secrets in a text that was not truncated. */
export function redactWhole(text: string, secrets: readonly string[]): string {
  return text.replace(patternOf(secrets), REDACTED);
}

/** The first `maxBytes` of a body with secrets redacted, including one that crosses the limit. */
export function redactedStart(body: Buffer, maxBytes: number, secrets: readonly string[]): Buffer {
  if (secrets.length === 0 || body.length === 0) return body.subarray(0, maxBytes);
  const longest = MAX_SPELLING * Math.max(...secrets.map(({ length }) => length));
  const text = body.subarray(0, maxBytes + longest).toString('latin1'); // one character per byte
  const pieces: string[] = [];
  let end = 0;
  for (const { index, 0: found } of text.matchAll(patternOf(secrets))) {
    if (index >= maxBytes) break;
    pieces.push(text.slice(end, index), REDACTED);
    end = index + found.length;
  }
  pieces.push(text.slice(end, maxBytes));
  return Buffer.from(withoutPart(pieces.join(''), secrets), 'latin1');
}

function patternOf(secrets: readonly string[]): RegExp {
  let pattern = patterns.get(secrets);
  if (!pattern) {
    const longestFirst = secrets.filter(Boolean).sort((a, b) => b.length - a.length);
    const source = longestFirst.map((secret) => secret.replace(/\W/g, spellings)).join('|');
    pattern = new RegExp(source === '' ? '(?!)' : source, 'g');
    patterns.set(secrets, pattern);
  }
  return pattern;
}

/** Matches an ASCII character as is, after a backslash, as `%2f` or as `\u002f`. */
function spellings(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return `(?:\\\\?\\x${hex}|%${anyCase}|\\\\u00${anyCase})`;
}

function withoutPart(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    if (!hasBeginning(text, secret)) continue;
    for (let length = secret.length - 1; length >= MIN_PART; length--)
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + REDACTED;
  }
  return text;
}

/** Whether the end of the text could be part of the secret. */
function hasBeginning(text: string, secret: string): boolean {
  if (text.length < MIN_PART) return false;
  return text.includes(secret.slice(0, MIN_PART), text.length - secret.length + 1);
}
