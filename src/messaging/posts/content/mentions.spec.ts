import { mentionsEveryone, findMentions, isEveryone } from './mentions.js';

const firstNames = (text: string): (string | undefined)[] => findMentions([text]).map(([first]) => first);

describe('findMentions', () => {
  it.each([
    ['hello', []],
    ['hello @bob', ['bob']],
    ['@Bob and @BOB', ['bob']],
    ['(@bob), /@ann', ['bob', 'ann']],
    ['@bob: look', ['bob']],
    ['bob@example.com', []],
    ['@@bob', []],
    ['@bobé', []],
    ['İ@bob @İ @\u212aate', []], // the Kelvin sign lowercases to k
    ['`@bob` and ```\n@ann```', []],
    ['~~~\n@anna\n~~~', []],
    ['~~~~sh\n@channel\n~~~~\n@bob', ['bob']],
    ['> ~~~\n> @anna\n> ~~~', []],
    ['- ~~~\n  @anna', []],
    ['a ``` @anna\n\n@bob ```', ['anna', 'bob']],
    ['\\`@anna`', ['anna']],
    ['@all @here', ['all', 'here']],
    ['@', []],
    [`@${'x'.repeat(65)}`, []],
  ])('%j mentions %j', (text, expected) => {
    expect(firstNames(text)).toEqual(expected);
  });

  it('lists the possible names of a mention at the end of a sentence', () => {
    expect(findMentions(['@bob.'])).toEqual([['bob.', 'bob']]);
    expect(findMentions(['@bob-smith.'])).toEqual([['bob-smith.', 'bob-smith', 'bob']]);
    expect(findMentions(['@bob_'])).toEqual([['bob_', 'bob']]);
    expect(findMentions(['@...'])).toEqual([['...']]);
    expect(findMentions(['@Bob.Smith-'])).toEqual([['bob.smith-', 'bob.smith', 'bob']]);
    expect(findMentions(['@a.b.c'])).toEqual([['a.b.c', 'a']]);
  });

  it('stops after 200 mentions', () => {
    const text = Array.from({ length: 300 }, (_, index) => `@user${index}`).join(' ');
    expect(findMentions([text])).toHaveLength(200);
  });

  it('handles hostile texts', () => {
    expect(findMentions(['@'.repeat(16_383)])).toEqual([]);
    expect(findMentions([`@${'.'.repeat(16_000)}`])).toEqual([]);
    expect(findMentions(['@a'.repeat(8_000)])).toHaveLength(1);
  });
});

describe('mentions of everyone', () => {
  it('are three names', () => {
    expect(['all', 'channel', 'here', 'bob'].filter(isEveryone)).toEqual(['all', 'channel', 'here']);
  });

  it.each([
    ['@all', true],
    ['now @Channel!', true],
    ['@here.', true],
    ['@allan', false],
    ['mail@all', false],
    ['all', false],
  ])('in %j: %j', (text, expected) => {
    expect(mentionsEveryone(text)).toBe(expected);
  });
});
