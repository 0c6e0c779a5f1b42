import { windowsOf } from './search-windows.js';

const posts = (...sizes: [seq: number, bytes: number][]): { seq: number; bytes: number }[] =>
  sizes.map(([seq, bytes]) => ({ seq, bytes }));

describe('windowsOf', () => {
  it('cuts a run into windows that leave no gap', () => {
    expect(windowsOf(posts([9, 4], [8, 5], [6, 2], [3, 8], [1, 1]), 20, 10)).toEqual([
      { from: 8, below: 20, bytes: 9 },
      { from: 3, below: 8, bytes: 10 },
      { from: 1, below: 3, bytes: 1 },
    ]);
  });

  it('gives a window of its own to a post that is too long', () => {
    expect(windowsOf(posts([9, 1], [8, 50], [7, 1]), 10, 10).map(({ from }) => from)).toEqual([9, 8, 7]);
  });

  it('keeps posts of the same place together', () => {
    expect(windowsOf(posts([9, 6], [9, 6], [8, 6]), 10, 10)).toEqual([
      { from: 9, below: 10, bytes: 12 },
      { from: 8, below: 9, bytes: 6 },
    ]);
  });

  it('makes none of nothing', () => expect(windowsOf([], 10, 10)).toEqual([]));
});
