const CHARACTERS = [...'a 0`@#~<|"\\/.-;:%&[', '\n', '\u0301', 'Σ', 'İ', '👍', '\ud800'];
const CHARACTERS_AT_THE_END = [...' a`@<"\\'];
const PAIRS = [
  ...["(){}[]?!*+=_,>'\t\u00a0\u200b", '@a ', '#a ', '~a ', '` ', '` `` ', '"a":"\n",', '"": ', '; a=b'],
  ...['from: ', 'a ', 'a\n', ' \t', '\r\n--xYzZY', '\r\n-', '\ud800a', 'ςΣ.', '\u0301\u0316', '\u0316\u0301'],
  ...'<a| <a|b> <@a ##a \\" "a\\ [] [{}, {"a": %25 &payload= a=b& ;a=" a. a@ .a@ from: -" \\u0000'.split(' '),
];

/** Texts that are expensive for some function, of a given size, by content. */
export const HOSTILE_TEXTS: ReadonlyMap<string, (bytes: number) => string> = new Map([
  ...CHARACTERS.map(
    (character) => [`${JSON.stringify(character)} … end`, repeated(character, '', '\u0001')] as const,
  ),
  ...[...CHARACTERS_AT_THE_END, ...PAIRS].map(
    (part) => [`${JSON.stringify(part)} …`, repeated(part)] as const,
  ),
  ['marks in the wrong order', (bytes) => '\u0301'.repeat(bytes / 4) + '\u0316'.repeat(bytes / 4)],
  ['brackets that are closed', (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)],
  ['a tag', repeated('a', '<', '>')],
  ['a fence', repeated('` ', '```')],
]);

/** `part` repeated between a start and an end, with this total number of UTF-8 bytes. */
export function repeated(part: string, start = '', end = ''): (bytes: number) => string {
  return (bytes) => {
    const room = bytes - Buffer.byteLength(start + end);
    return inOnePiece(start + part.repeat(Math.max(1, Math.floor(room / Buffer.byteLength(part)))) + end);
  };
}

/** As texts arrive: V8 joins the parts of a text only when it is read, which must not be measured. */
export function inOnePiece(text: string): string {
  const encoding = /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}
