import { isJsonObject, type JsonObject } from '../../../platform/common/json.js';

/** Blocks as a message without blocks can say them (docs/contract/incoming-webhooks.md#blocks). */
export interface ReadBlocks {
  readonly text: string;
  /** One for each picture. */
  readonly pictures: readonly JsonObject[];
  readonly notUnderstood: number;
}

const MARKS: Readonly<Record<string, string>> = { code: '`', strike: '~~', italic: '_', bold: '**' };

/** Reads the blocks of Slack. */
export function readSlackBlocks(blocks: readonly unknown[]): ReadBlocks {
  return new SlackBlocks().read(blocks);
}

/** The plain text of `props.mm_blocks`: what their texts say, wherever they are nested. */
export function textOfBlocks(blocks: readonly unknown[]): string {
  const lines: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isJsonObject(value)) return;
    const { type, text, alt_text: alternative } = value;
    if (type === 'divider') lines.push('---');
    if (typeof text === 'string') lines.push(text);
    else if (typeof alternative === 'string') lines.push(alternative);
    Object.values(value).forEach((inner) => typeof inner === 'object' && visit(inner));
  };
  visit(blocks);
  return joined(lines, '\n');
}

class SlackBlocks {
  private readonly pictures: JsonObject[] = [];
  private notUnderstood = 0;

  read(blocks: readonly unknown[]): ReadBlocks {
    const text = joined(
      blocks.map((block) => this.block(block)),
      '\n\n',
    );
    return { text, pictures: this.pictures, notUnderstood: this.notUnderstood };
  }

  private block(block: unknown): string {
    if (!isJsonObject(block)) return this.unknown();
    const { type, text, elements } = block;
    switch (type) {
      case 'header':
        return prefixed('#### ', textOf(text));
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
        return link(textOf(block['title']), block['title_url'] ?? block['video_url']);
      case 'rich_text':
        return joined(
          itemsOf(elements).map((element) => this.richText(element)),
          '\n',
        );
      default:
        return this.unknown();
    }
  }

  private section({ text, fields, accessory }: JsonObject): string {
    const texts = [textOf(text), ...itemsOf(fields).map(textOf)];
    return joined([...texts, accessory === undefined ? '' : this.element(accessory)], '\n');
  }

  private element(element: unknown): string {
    if (!isJsonObject(element)) return this.unknown();
    const { type, text, url } = element;
    if (type === 'image') return this.picture(element);
    if (type === 'mrkdwn' || type === 'plain_text') return textOf(element);
    if (type === 'button' && typeof url === 'string') return link(textOf(text), url);
    return this.unknown();
  }

  private picture({ image_url: url, title, alt_text: alternative }: JsonObject): string {
    if (typeof url !== 'string') return this.unknown();
    const fallback = textOf(alternative);
    this.pictures.push({ fallback, title: textOf(title) || fallback, image_url: url });
    return '';
  }

  private richText(part: unknown): string {
    if (!isJsonObject(part)) return this.unknown();
    const { type, elements, style } = part;
    if (type === 'rich_text_list')
      return itemsOf(elements)
        .map((item, index) => prefixed(style === 'ordered' ? `${index + 1}. ` : '- ', this.richText(item)))
        .join('\n');
    const text = itemsOf(elements)
      .map((element) => this.inline(element))
      .join('');
    if (type === 'rich_text_preformatted') return `\`\`\`\n${text}\n\`\`\``;
    if (type === 'rich_text_quote') return `> ${text.replaceAll('\n', '\n> ')}`;
    return type === 'rich_text_section' ? text : this.unknown();
  }

  private inline(element: unknown): string {
    if (!isJsonObject(element)) return this.unknown();
    const { type, text, url, style } = element;
    if (type === 'text') return marked(textOf(text), style);
    if (type === 'link') return marked(link(textOf(text), url), style);
    if (type === 'emoji') return `:${textOf(element['name'])}:`;
    if (type === 'user') return `<@${textOf(element['user_id'])}>`;
    if (type === 'broadcast') return `@${textOf(element['range'])}`;
    if (type === 'date') return textOf(element['fallback']);
    return this.unknown();
  }

  private unknown(): string {
    this.notUnderstood++;
    return '';
  }
}

/** A text, or the text of a text object. */
function textOf(value: unknown): string {
  const text = isJsonObject(value) ? value['text'] : value;
  return typeof text === 'string' ? text : '';
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

/** In the markup of Slack, which is converted and judged with the rest of the text. */
function link(text: string, url: unknown): string {
  if (typeof url !== 'string') return text;
  return text === '' ? url : `<${url}|${text}>`;
}

function marked(text: string, style: unknown): string {
  if (!isJsonObject(style) || text.trim() === '') return text;
  return Object.entries(MARKS).reduce(
    (inner, [name, mark]) => (style[name] === true ? mark + inner + mark : inner),
    text,
  );
}
