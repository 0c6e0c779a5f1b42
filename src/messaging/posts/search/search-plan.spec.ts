import { planSearch, type SampledPost } from './search-plan.js';

const LIMITS = { matches: 200_000, firstPart: 500, largestPart: 50_000 };
const sample = (count: number, has: (place: number) => boolean[]): SampledPost[] =>
  Array.from({ length: count }, (_, place) => ({ seq: place, has: has(place), isByAuthor: true }));
const search = { limit: 60, anyWord: false, terms: [[0]] };
const plan = (posts: readonly SampledPost[], change: object = {}, rows = 1_000_000) =>
  planSearch(posts, rows, { ...search, ...change }, LIMITS);

describe('planSearch', () => {
  it('asks the index for a word that the sample does not have', () => {
    expect(plan(sample(1_000, () => [false]))).toEqual({ words: [0], parts: [] });
  });

  it('reads posts for a word of every post, in growing parts', () => {
    expect(plan(sample(1_000, () => [true]))).toEqual({
      words: [],
      parts: [998, 997, 995, 991, 983, 967, 935, ...Array.from({ length: 18 }, (_, at) => 885 - 50 * at)],
    });
  });

  it('asks for the rarest word of all terms', () => {
    const posts = sample(1_000, (place) => [true, place % 20 === 0, false, true]);
    expect(
      plan(posts, {
        terms: [
          [0, 1],
          [2, 3],
        ],
      }),
    ).toMatchObject({ words: [2] });
  });

  it('asks for the rarest word of each term if any may occur', () => {
    const posts = sample(1_000, (place) => [true, place === 7, false]);
    expect(plan(posts, { anyWord: true, terms: [[0, 1], [2]] })).toMatchObject({ words: [1, 2] });
    expect(plan(posts, { anyWord: true, terms: [[0], [2]] })).toMatchObject({ words: [] });
  });

  it('reads posts for common words that rarely occur together', () => {
    const posts = sample(1_000, (place) => [place % 2 === 0, place % 2 === 1]);
    expect(plan(posts, { terms: [[0], [1]] })).toMatchObject({ words: [] });
  });

  it('asks the index if reading takes longer', () => {
    const posts = sample(1_000, (place) => [place % 10 === 0]);
    expect(plan(posts)).toMatchObject({ words: [] });
    expect(plan(posts.map((post) => ({ ...post, isByAuthor: false })))).toMatchObject({ words: [0] });
    expect(plan(posts.map((post) => ({ ...post, seq: null })))).toEqual({ words: [], parts: [] });
  });

  it('works without a sample', () => {
    expect(plan([], {}, 0)).toEqual({ words: [0], parts: [] });
  });
});
