import { find } from 'node-emoji';

const VARIATION_SELECTOR = 0xfe0f;

/**
 * The image path of an emoji, given its name with or without colons; undefined for an unknown name
 * (docs/contract/incoming-webhooks.md#post).
 */
export function emojiImagePath(name: string): string | undefined {
  const bare = name.replace(/^:|:$/g, '');
  if (!/^[A-Za-z0-9_+-]{1,64}$/.test(bare)) return undefined;
  const emoji = find(bare)?.emoji;
  if (emoji === undefined) return undefined;
  const codePoints = Array.from(emoji, (char) => char.codePointAt(0) ?? 0).filter(
    (code) => code !== VARIATION_SELECTOR,
  );
  return `/static/emoji/${codePoints.map((code) => code.toString(16).padStart(4, '0')).join('-')}.png`;
}
