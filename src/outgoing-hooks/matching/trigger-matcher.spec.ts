import { firingWord, prepareMessage, prepareTriggers } from './trigger-matcher.js';

const ACUTE = '\u0301';
/** A mark that does not compose with any base character. */
const LOOSE_MARK = '\u0489';
/** Sorts before ACUTE in canonical order. */
const BELOW = '\u0316';
const LONG_RUN = ACUTE.repeat(50) + BELOW.repeat(50);
const CHANNEL = 'gqsr16q5bj8ikq9dsu7mzp3acy';
const ANYWHERE = 0;
const START = 1;
const FIRST_WORD = 2;

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
    [FIRST_WORD, 'deploy', 'deploy', true],
    [FIRST_WORD, 'deploy', '  deploy\nnow', true],
    [FIRST_WORD, 'deploy', 'Deploy', false],
    [FIRST_WORD, 'deploy', 'deployment done', false],
    [FIRST_WORD, 'deploy', 'deploy, now', false],
    [FIRST_WORD, 'deploy', '**deploy**', false],
    [FIRST_WORD, 'deploy', 'please deploy', false],
    [FIRST_WORD, '!deploy', '!deploy now', true],
    [FIRST_WORD, 'ship it', 'ship  it now', true],
    [FIRST_WORD, 'ship it', 'ship it, now', false],
    [FIRST_WORD, 'ship it', 'ship', false],
    [FIRST_WORD, '\u00e9', `e${ACUTE} now`, true],
  ])('trigger_when %p, trigger %p, message %p: %p', (when, trigger, message, expected) => {
    expect(fires(when, trigger, message)).toBe(expected);
  });

  it.each([ANYWHERE, START, FIRST_WORD])(
    'no words, bound to a channel: every post, with the empty word (%p)',
    (when) => {
      expect(word('anything', [], when, CHANNEL)).toBe('');
      expect(word('', [], when, CHANNEL)).toBe('');
    },
  );

  it.each([ANYWHERE, START, FIRST_WORD])('a word does not fire on an empty message (%p)', (when) => {
    expect(word('', ['deploy'], when, CHANNEL)).toBeUndefined();
    expect(word(' \n', ['deploy'], when, CHANNEL)).toBeUndefined();
  });

  it('returns the first of the words, in the order and spelling of the hook', () => {
    expect(word('b a', ['c', 'a', 'b'], ANYWHERE)).toBe('a');
    expect(word('caf\u00e9', ['x', `cafe${ACUTE}`], ANYWHERE)).toBe(`cafe${ACUTE}`);
    expect(word('ship it', ['ship \t it'], ANYWHERE)).toBe('ship \t it');
    expect(word('ship it now', ['it', ' ship', 'ship it'], FIRST_WORD)).toBe(' ship');
  });
});

describe('bounds and white space', () => {
  it.each([
    ['a single combining mark after it is a word character', ANYWHERE, 'q', `q${LOOSE_MARK}`, false],
    [
      'a combining mark can start a trigger, which then needs a boundary before it',
      ANYWHERE,
      `${ACUTE}x`,
      `q${ACUTE}x`,
      false,
    ],
    ['and matches at the start', ANYWHERE, `${ACUTE}x`, `! ${ACUTE}x`, true],
    ['a letter above U+FFFF before', ANYWHERE, 'deploy', '𝒜deploy', false],
    ['a letter above U+FFFF after it', ANYWHERE, 'deploy', 'deploy𝒜', false],
    ['a letter above U+FFFF as trigger', ANYWHERE, '𝒜', 'x 𝒜.', true],
    ['an emoji before', ANYWHERE, 'deploy', '🚀deploy', true],
    ['digits of other scripts', ANYWHERE, 'deploy', 'deploy٣', false],
    ['a superscript is a number, not a digit', ANYWHERE, 'm', 'm²', true],
    ['composition across the end', ANYWHERE, '가', '가\u11a8', false],
    ['composition across the end, at the start of a message', START, '가', '가\u11a8', false],
    ['NEXT LINE is white space', ANYWHERE, 'ship it', 'ship\u0085it', true],
    ['so are wide spaces', ANYWHERE, 'ship it', 'ship\u3000\u2003it', true],
    ['a zero-width no-break space is not white space', ANYWHERE, 'ship it', 'ship\ufeffit', false],
    ['white space of a trigger is collapsed too', ANYWHERE, 'ship  \t it', 'ship it', true],
    ['leading white space of a trigger is ignored at the start', START, '  deploy', 'deploy', true],
    ['a trailing space of a trigger requires one', START, 'deploy ', 'deployment', false],
    ['also at the end of a message', START, 'deploy ', 'deploy', false],
    ['white space around a trigger is ignored for the first word', FIRST_WORD, '\t deploy ', 'deploy', true],
    ['a message of white space has no first word', FIRST_WORD, 'deploy', '\u3000\n', false],
    ['any white space ends the first word', FIRST_WORD, 'deploy', 'deploy\u0085now', true],
    ['a zero-width no-break space does not', FIRST_WORD, 'deploy', 'deploy\ufeff', false],
    ['nor is it ignored in a trigger', FIRST_WORD, 'deploy\ufeff', 'deploy', false],
    ['a mark belongs to the first word', FIRST_WORD, 'q', `q${LOOSE_MARK}`, false],
    ['composition across the end of the first word', FIRST_WORD, '가', '가\u11a8', false],
    ['half an emoji is not in an emoji', ANYWHERE, '\ud83d', '👍', false],
    ['nor the other half', ANYWHERE, '\udc4d', '👍', false],
    ['nor at the start', START, '\ud83d', '👍', false],
    ['nor as the first word', FIRST_WORD, '\ud83d', '👍', false],
    ['lone surrogates are compared as stored', ANYWHERE, '\ud83d!', 'x \udc00!', true],
    ['a later overlapping occurrence counts', ANYWHERE, 'a!a', 'xa!a!a', true],
    ['unless none has a boundary', ANYWHERE, 'a!a', 'xa!a!ax', false],
    ['marks are normalised', ANYWHERE, `x${ACUTE}${BELOW}`, `x${BELOW}${ACUTE}`, true],
    ['also in a long run', ANYWHERE, `x${LONG_RUN}`, `x${LONG_RUN}`, true],
    ['which are still marks', ANYWHERE, 'x', `x${LONG_RUN}`, false],
    ['and do not hide the following text', ANYWHERE, 'deploy', `x${LONG_RUN} deploy`, true],
    ['nothing but white space never matches', ANYWHERE, '\u0085', 'a b', false],
    ['nothing but white space never matches at the start', START, '\u0085', ' a b', false],
    ['nothing but white space is never the first word', FIRST_WORD, ' \u0085', ' a b', false],
  ])('%s', (_, when, trigger, message, expected) => {
    expect(fires(when, trigger, message)).toBe(expected);
  });
});
