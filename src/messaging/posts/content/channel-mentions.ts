/** Maximum number of channels one post can mention; further mentions are plain text. */
const MAX_NAMES = 50;
const MENTION = /(?<![A-Za-z0-9_~])~[A-Za-z0-9_-]{1,64}(?![A-Za-z0-9_-])/g;

/** Returns the channel names mentioned as `~name` in the texts, lowercase and without duplicates. */
export function findChannelMentions(texts: readonly string[]): string[] {
  const names = new Set<string>();
  for (const text of texts) {
    if (!text.includes('~')) continue;
    for (const { 0: mention } of text.matchAll(MENTION)) {
      if (names.size < MAX_NAMES) names.add(mention.slice(1).toLowerCase());
    }
  }
  return [...names];
}
