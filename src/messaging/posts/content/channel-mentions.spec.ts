import { findChannelMentions } from './channel-mentions.js';

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
