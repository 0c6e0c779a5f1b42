import { runeLength } from '../../../platform/common/utf8.js';
import { type Attachment, normaliseAttachments } from './attachments.js';
import { PropsTooLarge } from './slack-text.js';
import {
  MAX_MESSAGE_RUNES,
  MAX_PROPS_RUNES,
  type PostContent,
  splitContent,
  splitText,
  USABLE_PROPS_RUNES,
} from './split.js';

const attachment = (text: string): Attachment => normaliseAttachments([{ text }])![0]!;
const attachmentsOf = (post: PostContent | undefined) => (post?.props['attachments'] ?? []) as Attachment[];
const sizes = (posts: PostContent[]) =>
  posts.map((post) => [runeLength(post.message), attachmentsOf(post).length]);
const propsRunes = (post: PostContent | undefined) => runeLength(JSON.stringify(post?.props));

describe('splitContent', () => {
  it('leaves short content in one post', () => {
    const props = { from_webhook: 'true', nested: { a: [1, null] } };
    const attachments = [attachment('a'), attachment('b')];
    expect(splitContent({ message: 'hi', props })).toEqual([{ message: 'hi', props }]);
    expect(splitContent({ message: '', props: {} })).toEqual([{ message: '', props: {} }]);
    expect(splitContent({ message: 'hi', props, attachments: [] })).toEqual([{ message: 'hi', props }]);
    expect(splitContent({ message: 'hi', props, attachments })).toEqual([
      { message: 'hi', props: { ...props, attachments } },
    ]);
  });

  it.each([
    [MAX_MESSAGE_RUNES, 1],
    [MAX_MESSAGE_RUNES + 1, 2],
    [MAX_MESSAGE_RUNES * 3 + 1, 4],
  ])('splits %d runes into %d posts', (runes, count) => {
    for (const letter of ['a', '🚀']) {
      const posts = splitContent({ message: letter.repeat(runes), props: { a: 1 } });
      expect(posts.map(({ props }) => props)).toEqual(Array(count).fill({ a: 1 }));
      expect(posts.map(({ message }) => message).join('')).toBe(letter.repeat(runes));
    }
  });

  it('puts attachments on the last piece, and starts a new post for those that do not fit', () => {
    const posts = splitContent({
      message: 'a'.repeat(MAX_MESSAGE_RUNES * 1.5),
      props: { a: 1 },
      attachments: [attachment('1'), attachment('2'), attachment('x'.repeat(USABLE_PROPS_RUNES - 500))],
    });
    expect(sizes(posts)).toEqual([
      [MAX_MESSAGE_RUNES, 0],
      [expect.any(Number), 2],
      [0, 1],
    ]);
    expect(posts.every(({ props }) => props['a'] === 1)).toBe(true);
    expect(attachmentsOf(posts[2])[0]?.text).toHaveLength(USABLE_PROPS_RUNES - 500);
  });

  it('refuses props that are too large for one post', () => {
    const large = { unsplittable: 'x'.repeat(MAX_PROPS_RUNES * 2) };
    expect(() => splitContent({ message: 'a', props: large })).toThrow(PropsTooLarge);
    const exact = (runes: number) => ({ p: 'x'.repeat(runes - '{"p":""}'.length) });
    expect(splitContent({ message: 'a', props: exact(USABLE_PROPS_RUNES) })).toHaveLength(1);
    expect(() => splitContent({ message: 'a', props: exact(USABLE_PROPS_RUNES + 1) })).toThrow(PropsTooLarge);
  });

  it.each([
    ['control characters', '\u0001'.repeat(127_000)],
    ['empty strings', Array.from({ length: 260_000 }, () => '')],
    ['long numbers', Array.from({ length: 31_000 }, () => -1.2345678901234568e-300)],
    ['keys of control characters', controlCharacterKeys(26_000)],
  ])('refuses props of %s that are too large only as JSON', (_what, p) => {
    expect(JSON.stringify({ p }).length).toBeGreaterThan(USABLE_PROPS_RUNES);
    expect(() => splitContent({ message: 'a', props: { p } })).toThrow(PropsTooLarge);
  });

  it('counts runes, not UTF-16 units', () => {
    const props = { p: '🚀'.repeat(USABLE_PROPS_RUNES - 100) };
    expect(splitContent({ message: '', props })).toHaveLength(1);
  });

  it.each([{}, { a: 1 }])('fills a post to the last character next to props %j', (props) => {
    const around = JSON.stringify({ ...props, attachments: [attachment(''), attachment('')] }).length;
    const pair = (runes: number) => [
      attachment('a'.repeat(1000)),
      attachment('b'.repeat(runes - around - 1000)),
    ];
    const fitting = splitContent({ message: '', props, attachments: pair(USABLE_PROPS_RUNES) });
    expect(fitting).toHaveLength(1);
    expect(propsRunes(fitting[0])).toBe(USABLE_PROPS_RUNES);
    expect(splitContent({ message: '', props, attachments: pair(USABLE_PROPS_RUNES + 1) })).toHaveLength(2);
    const third = attachment('');
    const withThird = USABLE_PROPS_RUNES - JSON.stringify(third).length - 1;
    const posts = (runes: number) =>
      splitContent({ message: '', props, attachments: [...pair(runes), third] });
    expect(posts(withThird)).toHaveLength(1);
    expect(posts(withThird + 1).map((post) => attachmentsOf(post).length)).toEqual([2, 1]);
  });

  it.each([{}, { a: 1 }])(
    'truncates the text of a single attachment that does not fit next to %j',
    (props) => {
      const [post, next, ...none] = splitContent({
        message: 'm',
        props,
        attachments: [attachment('🚀'.repeat(USABLE_PROPS_RUNES)), attachment('next')],
      });
      expect(none).toEqual([]);
      expect(post?.message).toBe('m');
      expect(propsRunes(post)).toBe(USABLE_PROPS_RUNES);
      expect(attachmentsOf(post)[0]?.text).toMatch(/^(🚀)+$/u);
      expect(attachmentsOf(next)[0]?.text).toBe('next');
    },
  );

  it('can truncate a text to nothing', () => {
    const around = JSON.stringify({ attachments: [attachment('')] }).length;
    const lone = (fallback: number) =>
      normaliseAttachments([
        { fallback: 'x'.repeat(USABLE_PROPS_RUNES - around + fallback), text: 'short' },
      ])!;
    const [post] = splitContent({ message: '', props: {}, attachments: lone(0) });
    expect(attachmentsOf(post)[0]?.text).toBe('');
    expect(() => splitContent({ message: '', props: {}, attachments: lone(1) })).toThrow(PropsTooLarge);
  });

  it('never exceeds the limit and loses no attachment, whatever their size', () => {
    const random = randomFrom(42);
    for (let round = 0; round < 20; round++) {
      const attachments = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, i) =>
        attachment(`${i}${'é"\n🚀'.repeat(Math.floor(random() ** 3 * 120_000))}`),
      );
      const props = { p: 'x'.repeat(Math.floor(random() * 300_000)) };
      const posts = splitContent({ message: 'm', props, attachments });
      expect(posts.every((post) => propsRunes(post) <= USABLE_PROPS_RUNES)).toBe(true);
      expect(posts.slice(1).every((post) => post.message === '' && attachmentsOf(post).length > 0)).toBe(
        true,
      );
      const numbers = posts.flatMap(attachmentsOf).map(({ text }) => Number.parseInt(text, 10));
      expect(numbers).toEqual(attachments.map((_, i) => i));
    }
  });

  it('does not serialise attachments that are certainly small', () => {
    const stringify = jest.spyOn(JSON, 'stringify');
    try {
      const props = { a: 'x', list: Array.from({ length: 100_000 }, () => ''), none: null };
      const posts = splitContent({ message: 'm', props, attachments: [attachment('a')] });
      expect(stringify).not.toHaveBeenCalled();
      expect(posts).toHaveLength(1);
    } finally {
      stringify.mockRestore();
    }
  });

  it('refuses to copy long props onto many posts', () => {
    const props = { p: 'x'.repeat(500_000) };
    const pieces = (count: number): string => 'm'.repeat(count * MAX_MESSAGE_RUNES);
    expect(splitContent({ message: pieces(9), props })).toHaveLength(9);
    expect(() => splitContent({ message: pieces(10), props })).toThrow(PropsTooLarge);
    expect(splitContent({ message: pieces(100), props: { p: 'x' } })).toHaveLength(100);
  });
});

describe('splitText', () => {
  it.each([
    ['short', ['short']],
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
  ])('cuts %j between lines, words or characters', (text, pieces) => {
    expect(splitText(text, 20)).toEqual(pieces);
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
    const random = randomFrom(7);
    for (let round = 0; round < 300; round++) {
      const text = Array.from({ length: 80 }, () => parts[Math.floor(random() * parts.length)]).join('');
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

/** Generates `count` keys of four control characters, each of which JSON escapes as six characters. */
function controlCharacterKeys(count: number): Record<string, string> {
  const letter = (number: number): string => String.fromCharCode(0x0e + (number % 18));
  const key = (index: number): string =>
    [1, 18, 324, 5832].map((unit) => letter(Math.floor(index / unit))).join('');
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [key(index), '']));
}

/** mulberry32, a seeded random number generator. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
