import {
  extractHashtags,
  findChannelMentions,
  findMentions,
  isEveryone,
  MAX_HASHTAGS_RUNES,
  mentionsEveryone,
} from './mentions.js';

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
    ['~~~~sh\n@channel\n~~~~\n@bob', ['bob']],
    ['a ``` @anna\n\n@bob ```', ['anna', 'bob']],
    ['\\`@anna`', ['anna']],
    ['@all @here', ['all', 'here']],
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
  ])('in %j are %j', (text, expected) => {
    expect(mentionsEveryone(text)).toBe(expected);
  });
});

describe('findChannelMentions', () => {
  it.each([
    ['no channel', []],
    ['~town-square and ~Off_Topic.', ['town-square', 'off_topic']],
    ['~a ~a', ['a']],
    ['(~a)/~b', ['a', 'b']],
    ['x~a ~~b~~', []],
    ['~', []],
    [`~${'x'.repeat(65)}`, []],
  ])('%j names %j', (text, expected) => {
    expect(findChannelMentions([text])).toEqual(expected);
  });

  it('reads all texts and stops after 50 names', () => {
    expect(findChannelMentions(['~a', 'plain', '~b'])).toEqual(['a', 'b']);
    const many = Array.from({ length: 80 }, (_, index) => `~channel-${index}`).join(' ');
    expect(findChannelMentions([many])).toHaveLength(50);
  });
});

describe('extractHashtags', () => {
  it.each([
    ['no tag here', ''],
    ['see #bug and #marketing.', '#bug #marketing'],
    ['#user_testing #per.iod #check-in #마케팅', '#user_testing #per.iod #check-in #마케팅'],
    ['two\n#one\t#two1', '#one #two1'],
    ['(#tag), **#bold** "#quoted"', '#tag #bold #quoted'],
    ['##twice', '#twice'],
    ['#bug #bug', '#bug #bug'],
    ['#trail-_.', '#trail'],
    ['#été #Ünder #𝒳yz', '#été #Ünder #𝒳yz'],
  ])('of %j are %j', (message, tags) => {
    expect(extractHashtags(message)).toBe(tags);
  });

  it.each([
    '#',
    '# title',
    '#ab',
    '#a--',
    '#123',
    '#1st',
    '#_under',
    'foo#bar',
    'https://host/#anchor',
    '#one#two',
    '#hash,tag',
    '&#39;',
    '#c++',
  ])('has none in %j', (message) => {
    expect(extractHashtags(message)).toBe('');
  });

  it('stops before the list gets too long, never inside a tag', () => {
    const tags = Array.from({ length: 200 }, (_, i) => `#tag${i + 1000}`);
    const found = extractHashtags(tags.join(' '));
    expect(found).toBe(tags.slice(0, Math.floor((MAX_HASHTAGS_RUNES + 1) / 9)).join(' '));
    expect(found.length).toBeLessThanOrEqual(MAX_HASHTAGS_RUNES);
    expect(extractHashtags(`#${'a'.repeat(MAX_HASHTAGS_RUNES - 1)}`)).toHaveLength(MAX_HASHTAGS_RUNES);
    expect(extractHashtags(`#${'a'.repeat(MAX_HASHTAGS_RUNES)}`)).toBe('');
  });
});
