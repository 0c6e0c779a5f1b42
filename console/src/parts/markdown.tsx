import { Fragment, memo, type ReactNode } from 'react';
import { type Block, blocksOf } from './markdown-blocks';
import { type Inline, inlineOf } from './markdown-inline';
import { WebLink } from './web-link';

/** Longer texts are shown unformatted, because they would create too many DOM elements. */
const MAX_LENGTH = 50_000;
const TAGS = { '**': 'b', __: 'b', '*': 'i', _: 'i', '~~': 's' } as const;
/** Heading levels below the page titles. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6'] as const;

/** Renders Markdown in linear time. Unknown markup stays literal, and HTML is shown as text. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }): ReactNode {
  return <div className="text">{text.length > MAX_LENGTH ? text : blocksOf(text).map(block)}</div>;
});

function block(one: Block, key: number): ReactNode {
  switch (one.kind) {
    case 'text':
      return <p key={key}>{lines(one.text)}</p>;
    case 'code':
      return <pre key={key}>{one.text}</pre>;
    case 'heading': {
      const Heading = HEADINGS[one.level - 1] ?? 'h6';
      return <Heading key={key}>{lines(one.text)}</Heading>;
    }
    case 'rule':
      return <hr key={key} />;
    case 'quote':
      return <blockquote key={key}>{one.blocks.map(block)}</blockquote>;
    case 'list':
      return list(one, key);
    case 'table':
      return table(one, key);
  }
}

function list({ start, items }: Extract<Block, { kind: 'list' }>, key: number): ReactNode {
  const shown = items.map((item, index) => <li key={index}>{item.map(block)}</li>);
  return start === null ? (
    <ul key={key}>{shown}</ul>
  ) : (
    <ol key={key} start={start}>
      {shown}
    </ol>
  );
}

function table({ head, rows }: Extract<Block, { kind: 'table' }>, key: number): ReactNode {
  return (
    <div key={key} className="text-table" role="region" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index}>{lines(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{lines(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Marks do not span lines. */
function lines(text: string): ReactNode {
  return text.split('\n').map((line, index) => (
    <Fragment key={index}>
      {index > 0 && '\n'}
      {inlineOf(line).map(piece)}
    </Fragment>
  ));
}

function piece(one: Inline, key: number): ReactNode {
  if (typeof one === 'string') return one;
  if (one.kind === 'code') return <code key={key}>{one.text}</code>;
  const content = one.content.map(piece);
  if (one.kind === 'marked') {
    const Tag = TAGS[one.mark];
    return <Tag key={key}>{content}</Tag>;
  }
  return (
    <WebLink key={key} to={one.target}>
      {one.kind === 'image' && 'Image: '}
      {content}
    </WebLink>
  );
}
