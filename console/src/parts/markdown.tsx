import { Fragment, type ReactNode } from 'react';

/** What is marked within a line: code, links, bold, italics, struck out, addresses. */
const MARK =
  /`([^`\n]+)`|\[([^\]\n]*)\]\((\S+?)\)|\*\*([^*\n]+)\*\*|(?<![\w_])_([^_\n]+)_(?![\w_])|\*([^*\n]+)\*|~~([^~\n]+)~~|(https?:\/\/[^\s<>()]+)/g;
const FENCE = /^```[^\n]*\n([\s\S]*?)^```\s*$/gm;

/** The marks that messages carry most: code, links, bold, italics. All else is shown as it was written, and HTML is text. */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(FENCE)) {
    parts.push(<span key={end}>{inline(text.slice(end, match.index))}</span>);
    parts.push(<pre key={`code ${match.index}`}>{match[1]}</pre>);
    end = match.index + match[0].length;
  }
  parts.push(<span key={end}>{inline(text.slice(end))}</span>);
  return <div className="text">{parts}</div>;
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
