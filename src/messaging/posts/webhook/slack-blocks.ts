import { isJsonObject, type JsonObject } from '../../../platform/common/json.js';
import { visible } from '../../../platform/common/visible.js';
import { codeRanges } from '../content/code-ranges.js';
import { joinInline, literalBlock, literalCode, literalText, withoutNames } from '../content/literal-text.js';
import { markdownLink } from '../content/slack-text.js';

/** Blocks converted to what a message without blocks can show (docs/contract/incoming-webhooks.md#blocks). */
export interface ReadBlocks {
  readonly text: string;
  readonly pictures: readonly JsonObject[];
  readonly notUnderstood: number;
}

const MAX_UNKNOWN_TYPES = 10;
const MAX_TYPE_LENGTH = 40;
const BROADCASTS: Readonly<Record<string, string>> = { channel: '@channel', everyone: '@all', here: '@here' };
const MARKS: Readonly<Record<string, string>> = { strike: '~~', italic: '_', bold: '**' };

/** Reads Slack blocks. */
export function readSlackBlocks(blocks: readonly unknown[]): ReadBlocks {
  return new SlackBlocks().read(blocks);
}

/** Returns the plain text of `props.mm_blocks` at any nesting depth. */
export function textOfBlocks(blocks: readonly unknown[]): string {
  const lines: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isJsonObject(value)) return;
    const { type, text, alt_text: alternative } = value;
    if (type === 'divider') lines.push('---');
    if (typeof text === 'string') lines.push(type === 'plain_text' ? literalText(text) : text);
    else if (typeof alternative === 'string') lines.push(alternative);
    Object.values(value).forEach((inner) => typeof inner === 'object' && visit(inner));
  };
  visit(blocks);
  return joined(lines, '\n');
}

/** Returns some of the block and element types that cannot be converted. */
export function unknownBlockTypes(blocks: readonly unknown[]): string[] {
  const reader = new SlackBlocks();
  reader.read(blocks);
  return [...reader.unknownTypes];
}

class SlackBlocks {
  readonly unknownTypes = new Set<string>();
  private readonly pictures: JsonObject[] = [];
  private notUnderstood = 0;

  read(blocks: readonly unknown[]): ReadBlocks {
    const text = joined(
      blocks.map((block, index) => {
        const text = this.block(block);
        return index === blocks.length - 1 ? text : withClosedFence(text);
      }),
      '\n\n',
    );
    return { text, pictures: this.pictures, notUnderstood: this.notUnderstood };
  }

  private block(block: unknown): string {
    if (!isJsonObject(block)) return this.unknown(block);
    const { type, text, elements } = block;
    switch (type) {
      case 'header':
        return prefixed('#### ', textOf(text).replaceAll('\n', ' '));
      case 'section':
        return this.section(block);
      case 'markdown':
        return textOf(text);
      case 'divider':
        return '---';
      case 'image':
        return this.picture(block);
      case 'context':
      case 'actions':
        return joined(
          itemsOf(elements).map((element) => this.element(element)),
          ' ',
        );
      case 'video':
        return link(literalText(rawTextOf(block['title'])), block['title_url'] ?? block['video_url']);
      case 'rich_text':
        return joined(
          itemsOf(elements).map((element) => this.richText(element)),
          '\n',
        );
      default:
        return this.unknown(block);
    }
  }

  private section({ text, fields, accessory }: JsonObject): string {
    const texts = [textOf(text), ...itemsOf(fields).map(textOf)];
    return joined([...texts, accessory === undefined ? '' : this.element(accessory)], '\n');
  }

  private element(element: unknown): string {
    if (!isJsonObject(element)) return this.unknown(element);
    const { type, text, url } = element;
    if (type === 'image') return this.picture(element);
    if (type === 'mrkdwn' || type === 'plain_text') return textOf(element);
    if (type === 'button' && typeof url === 'string') return link(literalText(rawTextOf(text)), url);
    return this.unknown(element);
  }

  private picture(picture: JsonObject): string {
    const { image_url: url, title, alt_text: alternative } = picture;
    if (typeof url !== 'string') return this.unknown(picture);
    const fallback = rawTextOf(alternative);
    this.pictures.push({ fallback, title: literalText(rawTextOf(title) || fallback), image_url: url });
    return '';
  }

  private richText(part: unknown): string {
    if (!isJsonObject(part)) return this.unknown(part);
    const { type, elements, style } = part;
    if (type === 'rich_text_list')
      return itemsOf(elements)
        .map((item, index) => prefixed(style === 'ordered' ? `${index + 1}. ` : '- ', this.richText(item)))
        .join('\n');
    if (type === 'rich_text_preformatted') return literalBlock(this.rawInlines(elements));
    const text = joinInline(itemsOf(elements).map((element) => this.inline(element)));
    if (type === 'rich_text_quote') return `> ${text.replaceAll('\n', '\n> ')}`;
    return type === 'rich_text_section' ? text : this.unknown(part);
  }

  private inline(element: unknown): string {
    if (!isJsonObject(element)) return this.unknown(element);
    const { type, text, url, style, range } = element;
    const raw = rawTextOf(text);
    const code = isJsonObject(style) && style['code'] === true ? literalCode(raw) : undefined;
    if (type === 'text') return marked(code ?? literalText(raw), style);
    if (type === 'link') return marked(link(code ?? literalText(raw), url), style);
    if (type === 'emoji') return `:${literalText(rawTextOf(element['name']))}:`;
    if (type === 'user') return `<@${literalText(rawTextOf(element['user_id']))}>`;
    if (type === 'broadcast' && typeof range === 'string') return BROADCASTS[range] ?? this.unknown(element);
    if (type === 'date') return literalText(rawTextOf(element['fallback']));
    return this.unknown(element);
  }

  private rawInlines(elements: unknown): string {
    return itemsOf(elements)
      .map((element) => {
        const { text, url } = isJsonObject(element) ? element : {};
        if (typeof text === 'string') return text;
        return typeof url === 'string' ? url : this.unknown(element);
      })
      .join('');
  }

  private unknown(block: unknown): string {
    const type = isJsonObject(block) ? block['type'] : undefined;
    const shown = typeof type === 'string' ? visible(type.slice(0, MAX_TYPE_LENGTH)) : '';
    if (this.unknownTypes.size < MAX_UNKNOWN_TYPES) this.unknownTypes.add(shown || 'without type');
    this.notUnderstood++;
    return '';
  }
}

function textOf(value: unknown): string {
  const text = rawTextOf(value);
  if (!isJsonObject(value)) return text;
  if (value['type'] === 'plain_text') return literalText(text);
  return value['verbatim'] === true ? withoutNames(text) : text;
}

function rawTextOf(value: unknown): string {
  const text = isJsonObject(value) ? value['text'] : value;
  return typeof text === 'string' ? text : '';
}

/** Closes a fence left open by one block so that it does not extend into the next. */
function withClosedFence(text: string): string {
  const fence = codeRanges(text).at(-1)?.fence;
  return fence === undefined || fence.isClosed ? text : `${text}\n${fence.closing}`;
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function joined(texts: readonly string[], separator: string): string {
  return texts.filter((text) => text !== '').join(separator);
}

function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : prefix + text;
}

/** Returns a labeled Markdown link, or only the label if the URL is unsafe. */
function link(label: string, url: unknown): string {
  if (typeof url !== 'string') return label;
  if (label === '') return literalText(url.replace(/\s+/g, ' '));
  return markdownLink(label.replaceAll('\n', ' '), url);
}

function marked(text: string, style: unknown): string {
  if (!isJsonObject(style)) return text;
  const marks = Object.entries(MARKS).flatMap(([name, mark]) => (style[name] === true ? [mark] : []));
  const before = marks.toReversed().join('');
  return text
    .split('\n')
    .map((line) => {
      const inner = line.trim();
      return inner === '' ? line : line.replace(inner, () => before + inner + marks.join(''));
    })
    .join('\n');
}
