import { candidatesIn, foldedBytes, packPosts } from './block-content.js';

const [ADA, BEA] = ['a'.repeat(26), 'b'.repeat(26)];
const POSTS = [
  { seq: 3, userId: ADA, message: 'Build red' },
  { seq: 5, userId: BEA, message: 'BUILD green, 会議' },
  { seq: 6, userId: ADA, message: '' },
  { seq: Number.MAX_SAFE_INTEGER, userId: ADA, message: 'ΔΡΌΜΟΣ İstanbul red red' },
];
const content = packPosts(POSTS);

function found(
  words: string[],
  { anyWord = false, authorIds = [] as string[], posts = Infinity, bytes = Infinity } = {},
): number[] {
  const seqs = candidatesIn(content, { words: words.map(foldedBytes), anyWord, authorIds }, { posts, bytes });
  return seqs.map((seq) => POSTS.findIndex((post) => post.seq === seq));
}

it.each([
  [['build'], [1, 0]],
  [['BUILD', 'red'], [0]],
  [['red'], [3, 0]],
  [['redbuild'], []],
  [['ild r'], [0]],
  [['会'], [1]],
  [['議'], [1]],
  [['δρόμος', 'istanbul'], [3]],
  [['d'], [3, 1, 0]],
  [['\udc00'], []],
  [[], [3, 2, 1, 0]],
])('finds %j', (words, expected) => expect(found(words)).toEqual(expected));

it('finds one word or another', () =>
  expect(found(['green', 'istanbul'], { anyWord: true })).toEqual([3, 1]));

it('finds by author', () => {
  expect(found([], { authorIds: [BEA] })).toEqual([1]);
  expect(found(['build'], { authorIds: [ADA, 'c'.repeat(26)] })).toEqual([0]);
  expect(found([ADA])).toEqual([]);
});

it('looks at the newest', () => {
  expect(found(['build'], { posts: 3 })).toEqual([1]);
  expect(found(['red'], { posts: 0 })).toEqual([]);
  const newest = foldedBytes('ΔΡΌΜΟΣ İstanbul red red').length;
  expect(found([], { bytes: newest })).toEqual([3]);
  expect(found([], { bytes: newest + 1 })).toEqual([3, 2, 1]);
  expect(found([], { bytes: newest + 1 + foldedBytes('BUILD green, 会議').length })).toEqual([3, 2, 1, 0]);
});

it('packs nothing', () =>
  expect(
    candidatesIn(packPosts([]), { words: [], anyWord: false, authorIds: [] }, { posts: 9, bytes: 9 }),
  ).toEqual([]));
