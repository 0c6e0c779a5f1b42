import { isLong, jsonPieces } from './json-pieces.js';

const items = (count: number): unknown[] =>
  Array.from({ length: count }, (_, n) => ({ id: `id${n}`, text: 'a "ü" \n', none: undefined, list: [n] }));
const map = (count: number): object => Object.fromEntries(items(count).map((item, n) => [`key${n}`, item]));

const values: Record<string, object> = {
  'an empty list': [],
  'an empty object': {},
  'a short list': items(3),
  'a long list': items(100),
  'a list that ends with a piece': items(32),
  'a list with gaps': [...items(20), undefined, () => 1, null, ...items(20)],
  'a map': map(50),
  'a map with what JSON leaves out': { ...map(20), gone: undefined, ...map(40), f: () => 1 },
  'a map of only what JSON leaves out': Object.fromEntries(items(40).map((_, n) => [`key${n}`, undefined])),
  'lists and maps in an object': { order: items(40), posts: map(40), next: '', none: undefined, has: true },
  'an object that begins with what JSON leaves out': { none: undefined, order: items(40) },
  'numbers as keys': { ...Object.fromEntries(items(40).map((item, n) => [n * 7, item])), a: 1 },
  'its own text': Object.assign(items(40), { toJSON: () => 'x' }),
  'dates in a map': { when: new Date(0), posts: map(30) },
};

describe('pieces of JSON', () => {
  it.each(Object.entries(values))('say what JSON.stringify says: %s', (_, value) => {
    expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
  });

  it('are many for a long value', () => {
    for (const value of [items(100), map(100), { order: ['a'], posts: map(100) }]) {
      expect(isLong(value)).toBe(true);
      expect([...jsonPieces(value)].length).toBeGreaterThan(6);
    }
    for (const value of [items(3), { id: 'a', props: { b: [1] } }, map(40), 'text', 1, null])
      expect(isLong(value)).toBe(false);
  });
});
