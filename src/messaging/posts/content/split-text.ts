import { skipRunes } from '../../../platform/common/utf8.js';
import { type CodeRange, codeRanges, type FenceLines, rangeAt } from './code-ranges.js';

/** The longest line that is repeated where a block of code is cut. */
const MAX_FENCE_LENGTH = 200;
/** How far behind a cut a character made of several code points may end. */
const LOOKAHEAD = 100;
/** White space at which lines may be broken. */
const SPACE = /[ \t\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]/;

const graphemes = new Intl.Segmenter();

interface Block extends CodeRange {
  readonly fence: FenceLines;
  /** Where its second line begins. */
  readonly body: number;
}

/**
 * The text in consecutive pieces of at most `size` code points (docs/contract/incoming-webhooks.md#splitting). They are cut
 * between lines, else between words, else between characters as people see them, where that is possible. A block of code
 * that is cut ends with its piece, and begins again with the next one; nothing else is added, and nothing left out.
 */
export function splitText(text: string, size: number): string[] {
  if (text.length <= size || skipRunes(text, 0, size) === text.length) return [text];
  const maxFence = Math.min(MAX_FENCE_LENGTH, size >> 2);
  const blocks = codeRanges(text).flatMap((range) => blockOf(text, range, maxFence));
  const pieces: string[] = [];
  let start = 0;
  let opening = '';
  const endOf = (runes: number): number => skipRunes(text, start, runes - opening.length);
  while (endOf(size) < text.length) {
    let cut = cutBefore(text, start, endOf(size), blocks);
    let block = blockAround(blocks, cut);
    if (block) {
      const inside = cutBefore(text, start, endOf(size - block.fence.closing.length - 1), blocks);
      const isBegun = inside > block.body;
      // A block does not begin at the end of a piece.
      cut = isBegun || block.start <= start ? inside : block.start;
      block = isBegun ? blockAround(blocks, inside) : undefined;
    }
    const piece = opening + text.slice(start, cut);
    pieces.push(block ? `${piece}${piece.endsWith('\n') ? '' : '\n'}${block.fence.closing}` : piece);
    opening = block ? `${block.fence.opening}\n` : '';
    start = cut;
  }
  pieces.push(opening + text.slice(start));
  return pieces;
}

/** The best index to cut at, after `start` and not after `end`. */
function cutBefore(text: string, start: number, end: number, blocks: readonly Block[]): number {
  const block = blockAround(blocks, end);
  const least = block && block.start <= start ? Math.max(start, block.body) : start;
  const window = text.slice(start, end);
  const cuts = [window.lastIndexOf('\n') + 1, endOfLastSpace(window)].filter((cut) => start + cut > least);
  const best = cuts.find((cut) => cut > window.length / 2) ?? cuts[0];
  if (best !== undefined && window.slice(0, best).trim() !== '') return start + best;
  const character = graphemes.segment(text.slice(start, end + LOOKAHEAD)).containing(end - start);
  return character && character.index > 0 ? start + character.index : end;
}

function endOfLastSpace(text: string): number {
  let end = text.length;
  while (end > 0 && !SPACE.test(text[end - 1] ?? '')) end--;
  return end;
}

/** The block in which a cut would lie. */
function blockAround(blocks: readonly Block[], cut: number): Block | undefined {
  const block = rangeAt(blocks, cut);
  return block && block.start < cut ? block : undefined;
}

/** A block whose lines may be repeated; long info strings are not. */
function blockOf(text: string, { start, end, fence }: CodeRange, maxLength: number): Block[] {
  if (!fence || fence.closing.length >= maxLength) return [];
  const opening = fence.opening.length < maxLength ? fence.opening : fence.closing;
  return [{ start, end, body: text.indexOf('\n', start) + 1, fence: { ...fence, opening } }];
}
