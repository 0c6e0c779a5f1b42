import { callsEveryone, findCalls, isEveryone } from './mentions.js';

const firstMeanings = (text: string): (string | undefined)[] => findCalls([text]).map(([first]) => first);

describe('findCalls', () => {
  it.each([
    ['hello', []],
    ['hello @bob', ['bob']],
    ['@Bob and @BOB', ['bob']],
    ['(@bob), /@ann', ['bob', 'ann']],
    ['@bob: look', ['bob']],
    ['bob@example.com', []],
    ['@@bob', []],
    ['@bobé', []],
    ['`@bob` and ```\n@ann```', []],
    ['@all @here', ['all', 'here']],
    ['@', []],
    [`@${'x'.repeat(65)}`, []],
  ])('%j calls %j', (text, expected) => {
    expect(firstMeanings(text)).toEqual(expected);
  });

  it('knows what a call at the end of a sentence can mean', () => {
    expect(findCalls(['@bob.'])).toEqual([['bob.', 'bob']]);
    expect(findCalls(['@bob-smith.'])).toEqual([['bob-smith.', 'bob-smith', 'bob']]);
    expect(findCalls(['@bob_'])).toEqual([['bob_', 'bob']]);
    expect(findCalls(['@...'])).toEqual([['...']]);
  });

  it('stops after 200 calls', () => {
    const text = Array.from({ length: 300 }, (_, index) => `@user${index}`).join(' ');
    expect(findCalls([text])).toHaveLength(200);
  });

  it('takes hostile texts in its stride', () => {
    expect(findCalls(['@'.repeat(16_383)])).toEqual([]);
    expect(findCalls([`@${'.'.repeat(16_000)}`])).toEqual([]);
    expect(findCalls(['@a'.repeat(8_000)])).toHaveLength(1);
  });
});

describe('calls to everyone', () => {
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
    expect(callsEveryone(text)).toBe(expected);
  });
});
