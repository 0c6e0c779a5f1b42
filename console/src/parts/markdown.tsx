import { CatchBoundary } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { isAddress } from './is-address';
import { chatMarks } from './markdown-chat-marks';
import { WebLink } from './web-link';

/** Longer texts are shown unformatted, because they would create too many DOM elements. */
const MAX_LENGTH = 20_000;
/** Deeply nested lists and quotes take too long; this many markers in a row are shown unformatted. */
const NESTED = /^[ \t]*(?:>[ \t]*|(?:[*+-]|\d{1,9}[.)])[ \t]+){12}/m;

const PLUGINS = [remarkGfm, chatMarks];
/** Addresses that are no links are shown as text by `WebLink`. */
const keepAddress = (address: string): string => (isAddress(address) ? address : '');

/** Headings are below those of the page, links leave the console, and no image is loaded. */
const COMPONENTS: Components = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  a: ({ href = '', children }) => <WebLink to={href}>{children}</WebLink>,
  img: ({ src, alt }) => (
    <WebLink to={typeof src === 'string' ? src : ''}>
      Image: {alt || (typeof src === 'string' && src)}
    </WebLink>
  ),
  input: ({ checked }) => (checked ? '☑ ' : '☐ '),
  table: ({ children }) => (
    <div className="text-table" role="region" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

/** Renders Markdown as Mattermost does. HTML is shown as text. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }): ReactNode {
  const plain = <p>{text}</p>;
  const isPlain = text.length > MAX_LENGTH || NESTED.test(text);
  return (
    <div className="text">
      {isPlain ? (
        plain
      ) : (
        <CatchBoundary getResetKey={() => text} errorComponent={() => plain}>
          <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={keepAddress}>
            {text}
          </ReactMarkdown>
        </CatchBoundary>
      )}
    </div>
  );
});
