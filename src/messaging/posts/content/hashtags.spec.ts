import { extractHashtags, MAX_HASHTAGS_RUNES } from './hashtags.js';

describe('extractHashtags', () => {
  it.each([
    ['no tag here', ''],
    ['#bug', '#bug'],
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

  it('stops before the list grows too long, never inside a tag', () => {
    const tags = Array.from({ length: 200 }, (_, i) => `#tag${i + 1000}`);
    const found = extractHashtags(tags.join(' '));
    expect(found).toBe(tags.slice(0, Math.floor((MAX_HASHTAGS_RUNES + 1) / 9)).join(' '));
    expect(found.length).toBeLessThanOrEqual(MAX_HASHTAGS_RUNES);
    expect(extractHashtags(`#${'a'.repeat(MAX_HASHTAGS_RUNES - 1)}`)).toHaveLength(MAX_HASHTAGS_RUNES);
    expect(extractHashtags(`#${'a'.repeat(MAX_HASHTAGS_RUNES)}`)).toBe('');
  });

  it.each(['#', '#!', '#a-', '#a---', '-', '# ', '##a', 'é#'])(
    'is linear in hostile repetition of %j',
    (piece) => {
      for (const end of ['', 'x', '#']) {
        extractHashtags(piece.repeat(100_000) + end);
        extractHashtags(`#a${piece.repeat(100_000)}${end}`);
      }
    },
  );
});
