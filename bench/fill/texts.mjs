/** Texts of posts: words as in talk, some of them common, most of them not. */

/** In every second post. */
export const commonWord = 'release';
export const rareWord = 'xylophone';
/** How many posts have the rare word, at any size. */
export const rarePosts = 20;
const texts = 1_000;
const wordsOfText = 24;
const vocabulary = 3_000;

/** Rows of a number and a text. They are the same each time. */
export function makeTexts() {
  let state = 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  // The n-th word comes about 1/n times as often as the first, as in any language.
  const word = () => `word${Math.floor(vocabulary ** random())}`;
  return Array.from({ length: texts }, (_, n) => {
    const words = Array.from({ length: wordsOfText }, word);
    if (n % 2 === 0) words[12] = commonWord;
    return { n, message: words.join(' ') };
  });
}
