import type { JsonObject } from '../../../platform/common/json.js';
import { byteLength, runeLength, sliceRunes } from '../../../platform/common/utf8.js';
import type { Attachment } from './attachments.js';
import { Growth, PropsTooLarge } from './growth.js';
import { splitText } from './split-text.js';

/** The maximum length of a post's message (docs/contract/incoming-webhooks.md#splitting). */
export const MAX_MESSAGE_RUNES = 16_383;
/** The maximum length of a post's props as JSON. */
export const MAX_PROPS_RUNES = 800_000;
/** The length of props that splitting fills; the rest is for props that the server adds later. */
export const USABLE_PROPS_RUNES = 760_000;

/** The content of one post. */
export interface PostContent {
  readonly message: string;
  readonly props: JsonObject;
}

/**
 * Splits long content into posts (docs/contract/incoming-webhooks.md#splitting): each gets a piece of the text and all
 * props; the attachments go to the last piece, and to further posts without text if needed. An `attachments` among the
 * props is dropped.
 * @throws PropsTooLarge
 */
export function splitContent(input: {
  readonly message: string;
  readonly props: JsonObject;
  readonly attachments?: readonly Attachment[] | undefined;
}): PostContent[] {
  const { attachments: _raw, ...props } = input.props;
  const attachments = input.attachments ?? [];
  // Most content is far below the limit, so that the costly serialising is not needed.
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

/** The attachments of each post; only the first batch may be empty. */
function batchAttachments(attachments: readonly Attachment[], propsRunes: number): Attachment[][] {
  if (propsRunes > USABLE_PROPS_RUNES) {
    throw new PropsTooLarge();
  }
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

/** The attachment with `overflow` characters cut from its text. Throws PropsTooLarge if the text is shorter. */
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

/** An upper bound for the length of `value` as JSON, much cheaper than serialising it. */
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
