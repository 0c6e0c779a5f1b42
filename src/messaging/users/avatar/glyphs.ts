export const GLYPH_WIDTH = 5;
export const GLYPH_HEIGHT = 7;

/** The rows of each letter and digit from top to bottom: five pixels per row, as one base-32 digit. */
const GLYPHS: Readonly<Record<string, string>> = {
  A: 'ehhvhhh', B: 'uhhuhhu', C: 'ehggghe', D: 'sihhhis', E: 'vgguggv', F: 'vgguggg', G: 'ehgnhhf',
  H: 'hhhvhhh', I: 'e44444e', J: '72222ic', K: 'hikokih', L: 'ggggggv', M: 'hrlllhh', N: 'hhpljhh',
  O: 'ehhhhhe', P: 'uhhuggg', Q: 'ehhhlid', R: 'uhhukih', S: 'fgge11u', T: 'v444444', U: 'hhhhhhe',
  V: 'hhhhha4', W: 'hhhllla', X: 'hha4ahh', Y: 'hhha444', Z: 'v1248gv', 0: 'ehjlphe', 1: '4c4444e',
  2: 'eh1248v', 3: 'v2421he', 4: '26aiv22', 5: 'vgu11he', 6: '68guhhe', 7: 'v124888', 8: 'ehhehhe',
  9: 'ehhf12c',
}; // prettier-ignore

const BLANK = '0000000';

/** The rows of the first letter or digit in the name that can be drawn; blank if there is none. */
export function glyphOf(name: string): readonly number[] {
  const letter = [...name.toUpperCase()].find((candidate) => candidate in GLYPHS);
  const lines = letter === undefined ? BLANK : (GLYPHS[letter] ?? BLANK);
  return [...lines].map((digit) => Number.parseInt(digit, 32));
}
