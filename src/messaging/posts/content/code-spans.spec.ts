import { withoutCode } from './code-spans.js';

describe('withoutCode', () => {
  it.each([
    ['nothing to do', 'nothing to do'],
    ['a `b` c', 'a   c'],
    ['a ``b ` c`` d', 'a   d'],
    ['a ` b', 'a ` b'],
    ['a `` b ` c', 'a `` b ` c'],
    ['a ```b\nc``` d', 'a   d'],
    ['a ```b\nc', 'a '],
    ['`a` `b`', '   '],
    ['`a`b`', ' b`'],
  ])('%j gives %j', (text, expected) => {
    expect(withoutCode(text).replace(/ +/g, ' ')).toBe(expected.replace(/ +/g, ' '));
  });

  it('is fast with many unmatched runs', () => {
    const runs = Array.from({ length: 180 }, (_, index) => '`'.repeat(index % 2 === 0 ? 1 : 2)).join('x');
    const hostile = `${runs}${'`'.repeat(3)}`.repeat(20).slice(0, 16_383);
    expect(withoutCode(hostile).length).toBeLessThanOrEqual(hostile.length);
  });
});
