import type { ReactNode } from 'react';
import { AttachmentFields } from './attachment-fields';
import { AttachmentTime } from './attachment-time';
import { Markdown } from './markdown';
import { WebLink } from './web-link';

interface AttachmentViewProps {
  /** Has the fields of the API contract, any of which may be missing. */
  readonly attachment: Readonly<Record<string, unknown>>;
}

const NAMED_COLORS: Readonly<Record<string, string>> = {
  good: '#2eb67d',
  warning: '#ecb22e',
  danger: '#e01e5a',
};

/** A message attachment. External images are not loaded, only listed with their URLs. */
export function AttachmentView({ attachment }: AttachmentViewProps): ReactNode {
  const text = (name: string): string => {
    const value = attachment[name];
    return typeof value === 'string' ? value : '';
  };
  const fields = Array.isArray(attachment['fields']) ? (attachment['fields'] as unknown[]) : [];
  const shown = ['author_name', 'title', 'text', 'image_url', 'thumb_url', 'footer'];
  const isEmpty = fields.length === 0 && shown.every((name) => text(name) === '');
  const instead = isEmpty && text('pretext') === '' ? text('fallback') : '';
  const color = colorOf(text('color'));
  return (
    <>
      {text('pretext') && <Markdown text={text('pretext')} />}
      {(!isEmpty || instead !== '') && (
        <div className="attachment" style={color ? ({ '--attachment': color } as object) : undefined}>
          {instead && <Markdown text={instead} />}
          {text('author_name') && (
            <div className="muted">
              <WebLink to={text('author_link')}>{text('author_name')}</WebLink>
            </div>
          )}
          {text('title') && (
            <b>
              <WebLink to={text('title_link')}>{text('title')}</WebLink>
            </b>
          )}
          {text('text') && <Markdown text={text('text')} />}
          <AttachmentFields fields={fields} />
          <Picture kind="Image" address={text('image_url')} />
          <Picture kind="Thumbnail" address={text('thumb_url')} />
          <Foot text={text('footer')} ts={attachment['ts']} />
        </div>
      )}
    </>
  );
}

function Picture({ kind, address }: { readonly kind: string; readonly address: string }): ReactNode {
  if (address === '') return null;
  return (
    <div>
      <span className="muted">{kind}:</span> <WebLink to={address}>{address}</WebLink>
    </div>
  );
}

function Foot({ text, ts }: { readonly text: string; readonly ts: unknown }): ReactNode {
  const hasTime = (typeof ts === 'string' && ts !== '') || (typeof ts === 'number' && ts !== 0);
  if (text === '' && !hasTime) return null;
  return (
    <small className="muted">
      {text}
      {text !== '' && hasTime && ' · '}
      {hasTime && <AttachmentTime ts={ts} />}
    </small>
  );
}

const colorOf = (color: string): string | undefined =>
  NAMED_COLORS[color] ?? (/^#[0-9a-f]{3,8}$/i.test(color) ? color : undefined);
