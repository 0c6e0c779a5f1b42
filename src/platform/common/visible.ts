const INVISIBLE = /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** Removes invisible characters from a name, so that it cannot reverse, hide or displace surrounding text. */
export function visible(name: string): string {
  return name.replace(/\s+/gu, ' ').replace(INVISIBLE, '').trim();
}
