import { textLinkUrl } from './safe-url.js';

/** A link in Markdown; only its label, which is Markdown itself, if the address must not be followed. */
export function markdownLink(label: string, url: string): string {
  return textLinkUrl(url) === '' ? label : `[${label}](${url.replace(/[\s()<>\\]/g, percentEncoded)})`;
}

function percentEncoded(character: string): string {
  return character === '(' ? '%28' : character === ')' ? '%29' : encodeURIComponent(character);
}
