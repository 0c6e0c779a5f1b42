import { recordedValues } from './audit.interceptor.js';

describe('the recorded values of a request', () => {
  it('are the named fields of the response, then the previous values', () => {
    const values = recordedValues(
      ['name', 'at', 'other'],
      { name: 'b' },
      { name: 'c', at: 5 },
      { name: 'a' },
    );
    expect(JSON.parse(values)).toEqual({ name: 'b', 'prior.name': 'a', at: 5 });
    expect(recordedValues([], {}, {}, {})).toBe('');
  });

  it('are truncated until they fit, so that no value hides another', () => {
    const body = { id: '\u0001'.repeat(128), topic: 'sync'.repeat(30), note: '\u0002'.repeat(128) };
    const values = recordedValues(['id', 'topic', 'note'], undefined, body, undefined);
    expect(values.length).toBeLessThanOrEqual(1_000);
    expect(JSON.parse(values)).toEqual({
      id: '\u0001'.repeat(60),
      topic: 'sync'.repeat(15),
      note: '\u0002'.repeat(60),
    });
  });
});
