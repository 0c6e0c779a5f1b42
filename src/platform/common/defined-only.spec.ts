import { definedOnly } from './defined-only.js';

describe('definedOnly', () => {
  it('keeps defined values, including empty ones', () => {
    const change = definedOnly({ name: '', size: 0, flag: false, list: [], none: null, text: undefined });
    expect(change).toEqual({ name: '', size: 0, flag: false, list: [], none: null });
    expect('text' in change).toBe(false);
  });
});
