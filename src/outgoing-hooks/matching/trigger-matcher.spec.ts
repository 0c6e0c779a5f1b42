import fc from 'fast-check';
import { firingWord, prepareMessage, prepareTriggers } from './trigger-matcher.js';

const ACUTE = '\u0301';
/** A mark that no base composes with. */
const LOOSE_MARK = '\u0489';
const CHANNEL = 'gqsr16q5bj8ikq9dsu7mzp3acy';
const ANYWHERE = 0;
const START = 1;

function word(message: string, triggerWords: readonly string[], triggerWhen: number, channelId = '') {
  const hook = { triggerWords, triggerWhen, channelId };
  return firingWord(prepareMessage(message), prepareTriggers(hook), hook);
}
const fires = (when: number, trigger: string, message: string): boolean =>
  word(message, [trigger], when) !== undefined;

describe('the examples of docs/contract/outgoing-webhooks.md#examples', () => {
  it.each([
    [ANYWHERE, 'deploy', 'deploy', true],
    [ANYWHERE, 'deploy', 'please deploy: now', true],
    [ANYWHERE, 'deploy', '(deploy)', true],
    [ANYWHERE, 'deploy', 'Deploy', false],
    [ANYWHERE, 'deploy', 'redeploy', false],
    [ANYWHERE, 'deploy', 'deployment', false],
    [ANYWHERE, 'deploy', 'deploy_now', false],
    [ANYWHERE, 'deploy', 'deploy2', false],
    [ANYWHERE, 'deploy', 'deploy🚀', true],
    [ANYWHERE, 'deploy', '**deploy**', true],
    [ANYWHERE, 'deploy', 'redeploy, then deploy', true],
    [ANYWHERE, '!deploy', 'hey !deploy', true],
    [ANYWHERE, '!deploy', 'x!deploy', true],
    [ANYWHERE, '#build', 'see #building', false],
    [ANYWHERE, 'C++', 'C++17', true],
    [ANYWHERE, 'C++', 'I like C++.', true],
    [ANYWHERE, 'ship it', 'ok, ship   it!', true],
    [ANYWHERE, 'ship it', 'ship\nit', true],
    [ANYWHERE, 'ship it', 'ship items', false],
    [ANYWHERE, 'ship it', 'it ship', false],
    [ANYWHERE, 'größe', 'die Größe, größe', true],
    [ANYWHERE, 'gro', 'größe', false],
    [ANYWHERE, '\u00e9', `e${ACUTE}`, true],
    [ANYWHERE, 'e', `e${ACUTE}`, false],
    [ANYWHERE, '部署', '请部署', false],
    [ANYWHERE, '部署', '请 部署 吧', true],
    [ANYWHERE, '👍', 'ok👍👍', true],
    [START, 'deploy', 'deploy now', true],
    [START, 'deploy', '  deploy', true],
    [START, 'deploy', 'deployment done', true],
    [START, 'deploy', 'please deploy', false],
    [START, 'deploy', 'Deploy', false],
    [START, 'ship it', 'ship  it now', true],
  ])('trigger_when %p, trigger %p, message %p: %p', (when, trigger, message, expected) => {
    expect(fires(when, trigger, message)).toBe(expected);
  });

  it.each([ANYWHERE, START])('no words, bound to a channel: every post, with the empty word (%p)', (when) => {
    expect(word('anything', [], when, CHANNEL)).toBe('');
    expect(word('', [], when, CHANNEL)).toBe('');
  });

  it.each([ANYWHERE, START])('a word does not fire on an empty message (%p)', (when) => {
    expect(word('', ['deploy'], when, CHANNEL)).toBeUndefined();
    expect(word(' \n', ['deploy'], when, CHANNEL)).toBeUndefined();
  });

  it('tells the first of the words, in the order of the hook and as the hook has it', () => {
    expect(word('b a', ['c', 'a', 'b'], ANYWHERE)).toBe('a');
    expect(word('caf\u00e9', ['x', `cafe${ACUTE}`], ANYWHERE)).toBe(`cafe${ACUTE}`);
    expect(word('ship it', ['ship \t it'], ANYWHERE)).toBe('ship \t it');
  });

  it('does not fire for a whole team without words', () => {
    expect(word('anything', [], ANYWHERE, '')).toBeUndefined();
  });
});

describe('bounds and white space', () => {
  it.each([
    ['a loose mark behind is a word character', ANYWHERE, 'q', `q${LOOSE_MARK}`, false],
    [
      'a loose mark may open a trigger, which then is bounded before',
      ANYWHERE,
      `${ACUTE}x`,
      `q${ACUTE}x`,
      false,
    ],
    ['and matches where nothing stands before', ANYWHERE, `${ACUTE}x`, `! ${ACUTE}x`, true],
    ['a letter above U+FFFF before', ANYWHERE, 'deploy', '𝒜deploy', false],
    ['a letter above U+FFFF behind', ANYWHERE, 'deploy', 'deploy𝒜', false],
    ['a letter above U+FFFF as trigger', ANYWHERE, '𝒜', 'x 𝒜.', true],
    ['an emoji before', ANYWHERE, 'deploy', '🚀deploy', true],
    ['digits of other scripts', ANYWHERE, 'deploy', 'deploy٣', false],
    ['a superscript is a number, no digit', ANYWHERE, 'm', 'm²', true],
    ['composition across the end', ANYWHERE, '가', '가\u11a8', false],
    ['composition across the end, at the start of a message', START, '가', '가\u11a8', false],
    ['NEXT LINE is white space', ANYWHERE, 'ship it', 'ship\u0085it', true],
    ['so are wide spaces', ANYWHERE, 'ship it', 'ship\u3000\u2003it', true],
    ['a zero-width no-break space is none', ANYWHERE, 'ship it', 'ship\ufeffit', false],
    ['white space of a trigger runs too', ANYWHERE, 'ship  \t it', 'ship it', true],
    ['leading white space of a trigger is ignored at the start', START, '  deploy', 'deploy', true],
    ['a trailing space of a trigger asks for one', START, 'deploy ', 'deployment', false],
    ['half an emoji is not in an emoji', ANYWHERE, '\ud83d', '👍', false],
    ['nor its other half', ANYWHERE, '\udc4d', '👍', false],
    ['nor at the start', START, '\ud83d', '👍', false],
    ['lone surrogates are compared as what is stored for them', ANYWHERE, '\ud83d!', 'x \udc00!', true],
    ['nothing but white space never matches', ANYWHERE, '\u0085', 'a b', false],
    ['nothing but white space never matches at the start', START, '\u0085', ' a b', false],
  ])('%s', (_, when, trigger, message, expected) => {
    expect(fires(when, trigger, message)).toBe(expected);
  });
});

/*
 * The slow, obvious reference: lists of code points, compared one by one. White space and word characters are told
 * apart by other means than the matcher's.
 */
const SPACES = new Set(
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
);

function characters(text: string): string[] {
  const result: string[] = [];
  for (const character of text.normalize('NFC')) {
    const isLone = character.length === 1 && character >= '\ud800' && character <= '\udfff';
    if (!SPACES.has(character)) result.push(isLone ? '\ufffd' : character);
    else if (result[result.length - 1] !== ' ') result.push(' ');
  }
  return result;
}

const CATEGORIES = [/^\p{Letter}$/u, /^\p{Mark}$/u, /^\p{Decimal_Number}$/u];
const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && (character === '_' || CATEGORIES.some((category) => category.test(character)));

function standsAt(text: readonly string[], at: number, trigger: readonly string[]): boolean {
  return trigger.every((character, index) => text[at + index] === character);
}

function slowlyFires(when: number, trigger: string, message: string): boolean {
  let wanted = characters(trigger);
  let text = characters(message);
  if (wanted.every((character) => character === ' ')) return false;
  if (when === START) {
    wanted = wanted.slice(wanted[0] === ' ' ? 1 : 0);
    text = text.slice(text[0] === ' ' ? 1 : 0);
    return standsAt(text, 0, wanted);
  }
  return text.some((_, at) => {
    const before = text[at - 1];
    const behind = text[at + wanted.length];
    const isBoundBefore = isWordCharacter(wanted[0]) && isWordCharacter(before);
    const isBoundBehind = isWordCharacter(wanted[wanted.length - 1]) && isWordCharacter(behind);
    return standsAt(text, at, wanted) && !isBoundBefore && !isBoundBehind;
  });
}

describe('against the reference', () => {
  // FC_SEED repeats a run; the seed stands in the names of the tests.
  const seed = Number(process.env['FC_SEED'] ?? Date.now() % 1_000_000);
  const pieces =
    'a b e é _ 1 ٣ ² Ⅷ ! # + . 👍 🚀 𝒜 𞤀 部 署 가 \u1100 \u1161 \u11a8 ﬁ \u212b A \u200d \ufe0f \u0301 \u030a \u0489 \ud83d \udc4d \ufffd \ufeff'
      .split(' ')
      .concat(' ', ' ', '\n', '\u0085', '\u00a0', '\u3000', 'ab', 'a b', 'e\u0301');
  const text = (maxLength: number) =>
    fc.array(fc.constantFrom(...pieces), { maxLength }).map((parts) => parts.join(''));
  const anyText = fc.string({ unit: 'binary', maxLength: 12 });
  /** Often a part of the message, so that matches are not rare. */
  const pairs = fc
    .record({
      message: fc.oneof(text(24), anyText),
      other: fc.oneof(text(5), anyText),
      cut: fc.tuple(fc.nat(23), fc.nat(6)),
      own: fc.boolean(),
    })
    .map(({ message, other, cut: [from, length], own }) => ({
      message,
      trigger: own ? message.slice(from % (message.length + 1)).slice(0, length) : other,
    }));

  it.each([ANYWHERE, START])(`agrees for trigger_when %p (seed ${seed})`, (when) => {
    let hits = 0;
    fc.assert(
      fc.property(pairs, ({ message, trigger }) => {
        const expected = slowlyFires(when, trigger, message);
        hits += expected ? 1 : 0;
        return fires(when, trigger, message) === expected;
      }),
      { numRuns: 20_000, seed },
    );
    expect(hits).toBeGreaterThan(500);
  });

  it(`agrees for the first of several words (seed ${seed})`, () => {
    fc.assert(
      fc.property(
        text(24),
        fc.array(text(3), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(0, 1),
        (message, words, when) => {
          return word(message, words, when) === words.find((trigger) => slowlyFires(when, trigger, message));
        },
      ),
      { numRuns: 5_000, seed },
    );
  });
});
