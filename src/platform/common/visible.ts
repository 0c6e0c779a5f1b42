const INVISIBLE = /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/**
 * A name without control characters, direction marks and zero-width characters, and with single blanks only: nothing in
 * it turns around, hides or pushes away what stands beside it.
 */
export function visible(name: string): string {
  return name.replace(/\s+/gu, ' ').replace(INVISIBLE, '').trim();
}
