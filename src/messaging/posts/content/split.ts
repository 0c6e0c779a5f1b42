import { byteLength, runeLength, skipRunes, sliceRunes } from '../../../platform/common/utf8.js';
import { type CodeRange, codeRanges, type FenceLines, rangeAt } from './code-ranges.js';
import type { JsonObject } from '../../../platform/common/json.js';
import type { Attachment } from './attachments.js';
import { Growth, PropsTooLarge } from './slack-text.js';

const MAX_FENCE_LENGTH = 200;
/** How far past a cut to look for the end of a multi-code-point character. */
const LOOKAHEAD = 100;
const SPACE = /[ \t\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]/;

const graphemes = new Intl.Segmenter();

interface Block extends CodeRange {
  readonly fence: FenceLines;
  readonly body: number;
}

/**
 * Splits a text into pieces of at most `size` code points (docs/contract/incoming-webhooks.md#splitting),
 * preferably between lines, then words, then graphemes. A split code block is closed at the end of a piece
 * and reopened in the next. Nothing else is added or removed.
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
      // Do not start a block at the end of a piece.
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

/** Returns the best index to cut at, after `start` and at most `end`. */
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

function blockAround(blocks: readonly Block[], cut: number): Block | undefined {
  const block = rangeAt(blocks, cut);
  return block && block.start < cut ? block : undefined;
}

/** Returns a block whose fence lines may be repeated. Long info strings are not repeated. */
function blockOf(text: string, { start, end, fence }: CodeRange, maxLength: number): Block[] {
  if (!fence || fence.closing.length >= maxLength) return [];
  const opening = fence.opening.length < maxLength ? fence.opening : fence.closing;
  return [{ start, end, body: text.indexOf('\n', start) + 1, fence: { ...fence, opening } }];
}

/** Maximum length of a post's message (docs/contract/incoming-webhooks.md#splitting). */
export const MAX_MESSAGE_RUNES = 16_383;
/** Maximum length of a post's props as JSON. */
export const MAX_PROPS_RUNES = 800_000;
/** The props length that splitting fills; the rest is reserved for props the server adds later. */
export const USABLE_PROPS_RUNES = 760_000;

/** The content of one post. */
export interface PostContent {
  readonly message: string;
  readonly props: JsonObject;
}

/**
 * Splits long content into posts (docs/contract/incoming-webhooks.md#splitting). Each gets a piece of the
 * text and all props; attachments go to the last piece and, if needed, to further posts without text. Ignores
 * `attachments` in the props.
 * @throws PropsTooLarge
 */
export function splitContent(input: {
  readonly message: string;
  readonly props: JsonObject;
  readonly attachments?: readonly Attachment[] | undefined;
}): PostContent[] {
  const { attachments: _raw, ...props } = input.props;
  const attachments = input.attachments ?? [];
  // Most content is far below the limit, so skip the expensive serialization.
  const isSmall = longestJson(props) + longestJson(attachments) + OVERHEAD <= USABLE_PROPS_RUNES;
  const batches: ReadonlyArray<readonly Attachment[]> = isSmall
    ? [attachments]
    : batchAttachments(attachments, jsonRunes(props));

  const texts = splitText(input.message, MAX_MESSAGE_RUNES);
  const copies = texts.length + batches.length - 2;
  if (copies > 0) new Growth().add(copies * byteLength(JSON.stringify(props)));

  const posts = texts.slice(0, -1).map((message): PostContent => ({ message, props: { ...props } }));
  let message = texts.at(-1) ?? '';
  for (const batch of batches) {
    posts.push({ message, props: batch.length === 0 ? { ...props } : { ...props, attachments: batch } });
    message = '';
  }
  return posts;
}

/** The length that the `attachments` key adds to the props. */
const OVERHEAD = ',"attachments":[]'.length;

/** Groups the attachments by post; only the first batch may be empty. */
function batchAttachments(attachments: readonly Attachment[], propsRunes: number): Attachment[][] {
  if (propsRunes > USABLE_PROPS_RUNES) throw new PropsTooLarge();
  const isBare = propsRunes === '{}'.length;
  const room = USABLE_PROPS_RUNES - propsRunes - OVERHEAD + (isBare ? 1 : 0);
  let batch: Attachment[] = [];
  const batches = [batch];
  let remaining = room;
  for (const attachment of attachments) {
    const runes = jsonRunes(attachment);
    if (batch.length > 0 && runes + 1 <= remaining) {
      batch.push(attachment);
      remaining -= runes + 1; // 1 for the comma
      continue;
    }
    if (batch.length > 0) {
      batch = [];
      batches.push(batch);
    }
    const first = runes <= room ? attachment : shortened(attachment, runes - room);
    batch.push(first);
    remaining = room - (first === attachment ? runes : jsonRunes(first));
  }
  return batches;
}

/** Cuts `overflow` characters from the attachment's text. Throws PropsTooLarge if the text is shorter. */
function shortened(attachment: Attachment, overflow: number): Attachment {
  const textRunes = runeLength(attachment.text);
  if (textRunes < overflow) throw new PropsTooLarge();
  return { ...attachment, text: sliceRunes(attachment.text, 0, textRunes - overflow) };
}

function jsonRunes(value: unknown): number {
  return runeLength(JSON.stringify(value));
}

/** An upper bound for the length of `value` as JSON, much cheaper than serializing it. */
function longestJson(value: unknown): number {
  if (typeof value === 'string') return value.length * '\\u0000'.length + 2;
  if (typeof value !== 'object' || value === null) return LONGEST_NUMBER;
  let length = 2;
  if (Array.isArray(value)) {
    for (const item of value) length += longestJson(item) + 1;
    return length;
  }
  for (const key of Object.keys(value)) {
    length += longestJson(key) + longestJson((value as JsonObject)[key]) + 2;
  }
  return length;
}

const LONGEST_NUMBER = '-1.7976931348623157e+308'.length;
