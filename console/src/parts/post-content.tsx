import type { ReactNode } from 'react';
import { Markdown } from './markdown';

interface Attachment {
  readonly color?: unknown;
  readonly pretext?: unknown;
  readonly author_name?: unknown;
  readonly title?: unknown;
  readonly title_link?: unknown;
  readonly text?: unknown;
  readonly fields?: unknown;
  readonly footer?: unknown;
}

interface PostContentProps {
  readonly message: string;
  readonly props: Readonly<Record<string, unknown>>;
}

const NAMED_COLORS: Readonly<Record<string, string>> = {
  good: '#2eb67d',
  warning: '#ecb22e',
  danger: '#e01e5a',
};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The text of a message and what is attached to it. Nothing in it is ever taken for HTML, and no image is fetched. */
export function PostContent({ message, props }: PostContentProps): ReactNode {
  const attachments = Array.isArray(props['attachments']) ? (props['attachments'] as unknown[]) : [];
  return (
    <>
      <Markdown text={message} />
      {attachments.map((attachment, index) =>
        typeof attachment === 'object' && attachment ? (
          <AttachmentView key={index} attachment={attachment} />
        ) : null,
      )}
    </>
  );
}

function AttachmentView({ attachment }: { readonly attachment: Attachment }): ReactNode {
  const color = textOf(attachment.color);
  const shown = NAMED_COLORS[color] ?? (/^#[0-9a-f]{3,8}$/i.test(color) ? color : undefined);
  const fields = Array.isArray(attachment.fields) ? (attachment.fields as Record<string, unknown>[]) : [];
  return (
    <>
      {textOf(attachment.pretext) && <Markdown text={textOf(attachment.pretext)} />}
      <div className="attachment" style={shown ? ({ '--attachment': shown } as object) : undefined}>
        {textOf(attachment.author_name) && <div className="muted">{textOf(attachment.author_name)}</div>}
        {textOf(attachment.title) && (
          <b>
            <Markdown text={linked(textOf(attachment.title), textOf(attachment.title_link))} />
          </b>
        )}
        {textOf(attachment.text) && <Markdown text={textOf(attachment.text)} />}
        {fields.length > 0 && (
          <dl>
            {fields.map((field, index) => (
              <div key={index}>
                <dt>{textOf(field?.['title'])}</dt>
                <dd>
                  <Markdown text={fieldText(field?.['value'])} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        {textOf(attachment.footer) && <small className="muted">{textOf(attachment.footer)}</small>}
      </div>
    </>
  );
}

const linked = (title: string, url: string): string => (url === '' ? title : `[${title}](${url})`);

function fieldText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}
