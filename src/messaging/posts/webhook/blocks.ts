import { isJsonObject, type JsonObject } from '../../../platform/common/json.js';
import { literalText } from '../content/literal-text.js';
import { readSlackBlocks, textOfBlocks, unknownBlockTypes } from './slack-blocks.js';

/** The fields of an attachment without text that clients show. */
const VISIBLE = ['pretext', 'author_name', 'title', 'fields', 'image_url', 'thumb_url', 'footer', 'actions'];
const SILENT = '(This message has blocks that have no text.)';

/** The parts of a message that blocks replace. */
interface Shown {
  readonly text: string;
  /** As sent. */
  readonly attachments: unknown;
  readonly notUnderstood: number;
  /** If nothing else is shown, the types of the blocks that cannot be. */
  readonly unknownBlocks?: readonly string[];
}

/**
 * A message with its blocks written as text and attachments (docs/contract/incoming-webhooks.md#blocks). Costs nothing
 * for a message without any.
 */
export function withBlocks(text: string, fields: JsonObject): Shown {
  const { blocks, attachments, props } = fields;
  let shown: Shown = { text, attachments, notUnderstood: 0 };
  if (Array.isArray(attachments) && attachments.some(hasOnlyBlocks))
    shown = withThoseOfAttachments(shown, attachments);
  if (Array.isArray(blocks)) shown = withSlackBlocks(shown, blocks);
  const inProps = isJsonObject(props) ? props['mm_blocks'] : undefined;
  if (Array.isArray(inProps) && inProps.length > 0 && shown.text === '')
    return { ...shown, text: textOfBlocks(inProps) || SILENT };
  const isSilent = shown.notUnderstood > 0 && shown.text === '' && !hasItems(shown.attachments);
  return isSilent
    ? { ...shown, unknownBlocks: unknownBlockTypes([blocks, attachments].flatMap(blocksOf)) }
    : shown;
}

function hasItems(attachments: unknown): boolean {
  return Array.isArray(attachments) && attachments.some((item) => item !== null);
}

/** The blocks of a message or its attachments. */
function blocksOf(parts: unknown): unknown[] {
  const list: unknown[] = Array.isArray(parts) ? parts : [];
  return list.flatMap((part) => (hasOnlyBlocks(part) ? part.blocks : [part]));
}

/** A message that has a text of its own keeps it, and shows the blocks below. */
function withSlackBlocks({ text, attachments, notUnderstood }: Shown, blocks: readonly unknown[]): Shown {
  const read = readSlackBlocks(blocks);
  const isNew = text !== '' && read.text !== '' && ![text, literalText(text)].includes(read.text);
  const added = [...(isNew ? [{ text: read.text }] : []), ...read.pictures];
  return {
    text: text === '' ? read.text : text,
    attachments: added.length === 0 ? attachments : withAdded(attachments, added),
    notUnderstood: notUnderstood + read.notUnderstood,
  };
}

function withThoseOfAttachments(shown: Shown, attachments: readonly unknown[]): Shown {
  let { notUnderstood } = shown;
  const shownAttachments = attachments.flatMap((attachment: unknown) => {
    if (!hasOnlyBlocks(attachment)) return [attachment];
    const { blocks, ...others } = attachment;
    const read = readSlackBlocks(blocks);
    notUnderstood += read.notUnderstood;
    const written =
      read.text === '' && !VISIBLE.some((name) => others[name]) ? [] : [{ ...others, text: read.text }];
    return [...written, ...read.pictures];
  });
  return { ...shown, attachments: shownAttachments, notUnderstood };
}

/** What is no list is refused when attachments are checked. */
function withAdded(attachments: unknown, added: readonly JsonObject[]): unknown {
  if (attachments === undefined || attachments === null) return added;
  return Array.isArray(attachments) ? [...(attachments as unknown[]), ...added] : attachments;
}

function hasOnlyBlocks(attachment: unknown): attachment is JsonObject & { blocks: readonly unknown[] } {
  return isJsonObject(attachment) && Array.isArray(attachment['blocks']) && !attachment['text'];
}
