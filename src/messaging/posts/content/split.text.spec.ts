import { runeLength } from '../../../platform/common/utf8.js';
import { splitText } from './split.js';

const SIZE = 20;
const split = (text: string): string[] => splitText(text, SIZE);

describe('splitText', () => {
  it.each([
    ['short', ['short']],
    ['x'.repeat(20), ['x'.repeat(20)]],
    ['x'.repeat(45), ['x'.repeat(20), 'x'.repeat(20), 'x'.repeat(5)]],
    ['one two three\nfour five six', ['one two three\n', 'four five six']],
    ['one two three four five six', ['one two three four ', 'five six']],
    ['one\ntwo three four five six', ['one\ntwo three four ', 'five six']],
    [`a\n${'b'.repeat(19)}\nc`, ['a\n', `${'b'.repeat(19)}\n`, 'c']],
    [`\n${'b'.repeat(21)}`, [`\n${'b'.repeat(19)}`, 'bb']],
    [`${'é'.repeat(19)}🚀🚀`, [`${'é'.repeat(19)}🚀`, '🚀']],
    [`${'x'.repeat(18)}👩‍👩‍👧 y`, ['x'.repeat(18), '👩‍👩‍👧 y']],
    [`${'x'.repeat(19)}e\u0301y`, ['x'.repeat(19), 'e\u0301y']],
    ['e' + '\u0301'.repeat(30), ['e' + '\u0301'.repeat(19), '\u0301'.repeat(11)]],
    [`${'x'.repeat(19)}\r\ny`, ['x'.repeat(19), '\r\ny']],
    ['日'.repeat(25), ['日'.repeat(20), '日'.repeat(5)]],
  ])('cuts %j between lines, words or characters', (text, pieces) => {
    expect(split(text)).toEqual(pieces);
    expect(pieces.join('')).toBe(text);
  });

  const line = `${'a'.repeat(9)}\n`;
  it.each([
    [
      `\`\`\`js\n${line.repeat(4)}\`\`\`\nd`,
      [`\`\`\`js\n${line.repeat(3)}\`\`\``, `\`\`\`js\n${line}\`\`\`\nd`],
    ],
    [`~~~\n${'a'.repeat(40)}`, [`~~~\n${'a'.repeat(32)}\n~~~`, `~~~\n${'a'.repeat(8)}`]],
    ['> ~~~\n' + `> ${line}`.repeat(3), [`> ~~~\n> ${line}> ${line}> ~~~`, `> ~~~\n> ${line}`]],
    [`${'b'.repeat(25)}\n\`\`\`js\n${line}\`\`\``, [`${'b'.repeat(25)}\n`, `\`\`\`js\n${line}\`\`\``]],
    [`${'b'.repeat(35)}\n\`\`\`\n${line}\`\`\``, [`${'b'.repeat(35)}\n`, `\`\`\`\n${line}\`\`\``]],
    [`\`${'b '.repeat(25)}\``, [`\`${'b '.repeat(19)}`, `${'b '.repeat(6)}\``]],
  ])('closes the code block that is cut in %j', (text, pieces) => {
    expect(splitText(text, 40)).toEqual(pieces);
  });

  it('stays within the size and loses nothing, for any text', () => {
    const parts = [
      'a',
      ' ',
      '\n',
      '```\n',
      '\n```\n',
      '~~~js\n',
      '> ',
      '- ',
      '👩‍👩‍👧',
      'e\u0301',
      '`',
      '`````````',
      'word ',
    ];
    let state = 7;
    const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648);
    for (let round = 0; round < 300; round++) {
      const text = Array.from({ length: 80 }, () => parts[(next() >> 8) % parts.length]).join('');
      const pieces = splitText(text, 40);
      expect(pieces.every((piece) => runeLength(piece) <= 40 && piece !== '')).toBe(true);
      let at = 0;
      for (const character of text) {
        const found = pieces.join('').indexOf(character, at);
        expect(found).toBeGreaterThanOrEqual(at);
        at = found + 1;
      }
    }
  });
});
