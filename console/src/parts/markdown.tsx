import { Fragment, memo, type ReactNode } from 'react';

/** What is marked within a line: code, links, bold, italics, struck out, addresses without what ends a sentence. Bounded, so that none is looked for far. */
const MARK =
  /`([^`\n]{1,1000})`|\[([^[\]\n]{0,500})\]\(([^\s()]{1,2000})\)|\*\*([^*\n]{1,1000})\*\*|(?<![\w_])_([^_\n]{1,1000})_(?![\w_])|\*([^*\n]{1,1000})\*|~~([^~\n]{1,1000})~~|(https?:\/\/[^\s<>()]{0,2000}[^\s<>().,:;!?'"])/g;
const OPENING = /^```[^`]*$/;
const CLOSING = /^```\s*$/;

/** The marks that messages carry most: code, links, bold, italics. All else is shown as it was written, and HTML is text. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="text">
      {blocksOf(text).map(({ isCode, lines }, index) =>
        isCode ? (
          <pre key={index}>{lines.join('\n')}</pre>
        ) : (
          <span key={index}>{inline(lines.join('\n'))}</span>
        ),
      )}
    </div>
  );
});

interface Block {
  readonly isCode: boolean;
  readonly lines: string[];
}

/** Text and code between fences, which ends with the text at the latest. Fences without code are text. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let current: Block = { isCode: false, lines: [] };
  let fence = '';
  const end = (): void => {
    if (current.lines.length > 0) blocks.push(current);
    else if (current.isCode) blocks.push({ isCode: false, lines: [fence] });
  };
  for (const line of text.split('\n')) {
    if (!(current.isCode ? CLOSING : OPENING).test(line)) {
      current.lines.push(line);
      continue;
    }
    end();
    current = current.isCode ? { isCode: false, lines: [] } : { isCode: true, lines: firstOfCode(line) };
    fence = line;
  }
  end();
  return blocks;
}

/** One word after a fence is the language; more is the beginning of the code. */
function firstOfCode(fence: string): string[] {
  const rest = fence.slice('```'.length).trim();
  return /\s/.test(rest) ? [rest] : [];
}

function inline(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(MARK)) {
    parts.push(text.slice(end, match.index), <Fragment key={match.index}>{marked(match)}</Fragment>);
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

function marked([
  all,
  code,
  title,
  target,
  bold,
  underlined,
  starred,
  struck,
  address = '',
]: RegExpMatchArray): ReactNode {
  if (code !== undefined) return <code>{code}</code>;
  if (target !== undefined) return link(title || target, target) ?? all;
  if (bold !== undefined) return <b>{bold}</b>;
  if (underlined !== undefined || starred !== undefined) return <i>{underlined ?? starred}</i>;
  if (struck !== undefined) return <s>{struck}</s>;
  return link(address, address) ?? all;
}

/** Only to pages of the web: a script is no address. */
function link(title: string, target: string): ReactNode {
  if (!/^https?:\/\//i.test(target)) return undefined;
  return (
    <a href={target} rel="noreferrer noopener" target="_blank">
      {title}
    </a>
  );
}
