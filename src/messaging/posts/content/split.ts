import type { JsonObject } from '../../../platform/common/json.js';
import { byteLength, runeLength, sliceRunes, splitRunes } from '../../../platform/common/utf8.js';
import type { Attachment } from './attachments.js';
import { Growth, PropsTooLarge } from './growth.js';

/** The longest message of one post (docs/contract/incoming-webhooks.md#splitting). */
export const MAX_MESSAGE_RUNES = 16_383;
/** The longest props of one post, as JSON. */
export const MAX_PROPS_RUNES = 800_000;
/** What splitting may fill: the rest is for props that the server adds later. */
export const USABLE_PROPS_RUNES = 760_000;

export interface PostContent {
  readonly message: string;
  readonly props: JsonObject;
}

/**
 * Spreads long content over posts, in order, by docs/contract/incoming-webhooks.md#splitting: the text in pieces, all
 * props on each, the attachments on the last piece and as many empty posts behind it as they need. `attachments` is
 * the only source of `props.attachments`; one among the props is dropped.
 * @throws PropsTooLarge
 */
export function splitContent(input: {
  readonly message: string;
  readonly props: JsonObject;
  readonly attachments?: readonly Attachment[] | undefined;
}): PostContent[] {
  const { attachments: _raw, ...props } = input.props;
  const attachments = input.attachments ?? [];
  // Serialising is dear and almost never needed: most content is far below any limit.
  const isSmall = longestJson(props) + longestJson(attachments) + OVERHEAD <= USABLE_PROPS_RUNES;
  const batches: ReadonlyArray<readonly Attachment[]> = isSmall
    ? [attachments]
    : batchAttachments(attachments, jsonRunes(props));

  const texts = splitRunes(input.message, MAX_MESSAGE_RUNES);
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

/** What `,"attachments":[]` adds to the props around the attachments themselves. */
const OVERHEAD = ',"attachments":[]'.length;

/** The attachments post by post; the first batch may be empty, the others never are. */
function batchAttachments(attachments: readonly Attachment[], propsRunes: number): Attachment[][] {
  if (propsRunes > USABLE_PROPS_RUNES) {
    throw new PropsTooLarge();
  }
  const isBare = propsRunes === '{}'.length;
  const room = USABLE_PROPS_RUNES - propsRunes - OVERHEAD + (isBare ? 1 : 0);
  let batch: Attachment[] = [];
  const batches = [batch];
  let left = room;
  for (const attachment of attachments) {
    const runes = jsonRunes(attachment);
    if (batch.length > 0 && runes + 1 <= left) {
      batch.push(attachment);
      left -= runes + 1; // the comma
      continue;
    }
    if (batch.length > 0) {
      batch = [];
      batches.push(batch);
    }
    const lone = runes <= room ? attachment : shortened(attachment, runes - room);
    batch.push(lone);
    left = room - (lone === attachment ? runes : jsonRunes(lone));
  }
  return batches;
}

/** `attachment` with its text cut by as many characters as it is too long. */
function shortened(attachment: Attachment, overflow: number): Attachment {
  const textRunes = runeLength(attachment.text);
  if (textRunes < overflow) {
    throw new PropsTooLarge();
  }
  return { ...attachment, text: sliceRunes(attachment.text, 0, textRunes - overflow) };
}

function jsonRunes(value: unknown): number {
  return runeLength(JSON.stringify(value));
}

/** An upper bound of the length of `value` as JSON, much cheaper than the JSON. */
function longestJson(value: unknown): number {
  if (typeof value === 'string') {
    return value.length * '\\u0000'.length + 2;
  }
  if (typeof value !== 'object' || value === null) {
    return LONGEST_NUMBER;
  }
  let length = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      length += longestJson(item) + 1;
    }
    return length;
  }
  for (const key of Object.keys(value)) {
    length += longestJson(key) + longestJson((value as JsonObject)[key]) + 2;
  }
  return length;
}

const LONGEST_NUMBER = '-1.7976931348623157e+308'.length;
