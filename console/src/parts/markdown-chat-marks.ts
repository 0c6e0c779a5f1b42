import type { Code, Nodes, Paragraph, PhrasingContent, Root } from 'mdast';
import type { Processor } from 'unified';

/** Line breaks, mentions and hashtags. */
const MARKS = /\n|(?<![\w@#/])(?:@[a-z0-9][\w.-]{0,63}|#\p{L}[\p{L}\p{N}_-]{0,63})/gu;
const TEXT = { disable: { null: ['htmlFlow', 'htmlText', 'gfmFootnoteCall', 'gfmFootnoteDefinition'] } };

/**
 * What messages have beyond GitHub's Markdown: a new line is a line break, mentions and hashtags are marked. HTML,
 * footnotes and a fence without code are text.
 */
export function chatMarks(this: Processor): (tree: Root) => void {
  const data = this.data() as { micromarkExtensions?: object[] };
  (data.micromarkExtensions ??= []).push(TEXT);
  return markIn;
}

function markIn(node: Nodes): void {
  if (!('children' in node)) return;
  const children: Nodes[] = node.children.flatMap((child: Nodes): Nodes[] => {
    if (child.type === 'text') return marksOf(child.value);
    if (child.type === 'code') return [codeOf(child)];
    if (child.type !== 'link') markIn(child);
    return [child];
  });
  node.children = children as typeof node.children;
}

function marksOf(text: string): PhrasingContent[] {
  const found: PhrasingContent[] = [];
  let end = 0;
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    found.push({ type: 'text', value: text.slice(end, index) });
    found.push(mark === '\n' ? { type: 'break' } : markOf(mark));
    end = index + mark.length;
  }
  return [...found, { type: 'text', value: text.slice(end) }];
}

const markOf = (value: string): PhrasingContent => ({
  type: 'emphasis',
  data: { hName: 'span', hProperties: { className: ['chat-mark'] } },
  children: [{ type: 'text', value }],
});

/** A single word after a fence is the language; more is the first line of code. */
function codeOf(code: Code): Code | Paragraph {
  const { lang, meta, value } = code;
  const opening = [lang, meta].filter(Boolean).join(' ');
  if (value === '' && opening !== '')
    return { type: 'paragraph', children: [{ type: 'text', value: `\`\`\`${opening}` }] };
  return meta ? { ...code, value: `${opening}\n${value}` } : code;
}
