import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
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

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
/** Larger numbers are milliseconds: as seconds they would be after the year 5138. */
const MOST_SECONDS = 1e11;
const NUMBER = /^\d{1,16}(?:\.\d{1,9})?$/;
const DATE = /^\d{4}-\d\d-\d\d/;

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
  const edge = colorOf(text('color')) ?? 'var(--mantine-color-default-border)';
  return (
    <>
      {text('pretext') && <Markdown text={text('pretext')} />}
      {(!isEmpty || instead !== '') && (
        <Paper
          className="attachment"
          withBorder
          radius="sm"
          px="sm"
          py="xs"
          mt={6}
          maw={760}
          style={{ borderLeft: `4px solid ${edge}` }}
        >
          <Stack gap={4}>
            {instead && <Markdown text={instead} />}
            {text('author_name') && (
              <Text size="xs" c="dimmed">
                <WebLink to={text('author_link')}>{text('author_name')}</WebLink>
              </Text>
            )}
            {text('title') && (
              <Text fw={600} size="sm">
                <WebLink to={text('title_link')}>{text('title')}</WebLink>
              </Text>
            )}
            {text('text') && <Markdown text={text('text')} />}
            <Fields fields={fields} />
            <Picture kind="Image" address={text('image_url')} />
            <Picture kind="Thumbnail" address={text('thumb_url')} />
            <Foot text={text('footer')} ts={attachment['ts']} />
          </Stack>
        </Paper>
      )}
    </>
  );
}

/** Fields of an attachment: short ones side by side, others stacked. */
function Fields({ fields }: { readonly fields: readonly unknown[] }): ReactNode {
  if (fields.length === 0) return null;
  return (
    <dl>
      {fields.map((field, index) => {
        const { title, value, short } = (field ?? {}) as Readonly<Record<string, unknown>>;
        return (
          <div key={index} className={short === true ? undefined : 'whole'}>
            <dt>{shownText(title)}</dt>
            <dd>
              <Markdown text={shownText(value)} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function shownText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

function Picture({ kind, address }: { readonly kind: string; readonly address: string }): ReactNode {
  if (address === '') return null;
  return (
    <Text size="sm">
      <span className="muted">{kind}:</span> <WebLink to={address}>{address}</WebLink>
    </Text>
  );
}

function Foot({ text, ts }: { readonly text: string; readonly ts: unknown }): ReactNode {
  const hasTime = (typeof ts === 'string' && ts !== '') || (typeof ts === 'number' && ts !== 0);
  if (text === '' && !hasTime) return null;
  return (
    <Text size="xs" c="dimmed">
      {text}
      {text !== '' && hasTime && ' · '}
      {hasTime && <TimeOf ts={ts} />}
    </Text>
  );
}

/** Attachment time, given in seconds, milliseconds or as a date; other values are shown as they are. */
function TimeOf({ ts }: { readonly ts: string | number }): ReactNode {
  const date = new Date(timeOf(ts));
  if (Number.isNaN(date.getTime())) return ts;
  return <time dateTime={date.toISOString()}>{LOCAL.format(date)}</time>;
}

function timeOf(ts: string | number): number {
  if (typeof ts === 'string' && !NUMBER.test(ts)) return DATE.test(ts) ? Date.parse(ts) : NaN;
  const at = Number(ts);
  return Math.abs(at) < MOST_SECONDS ? at * 1_000 : at;
}

const colorOf = (color: string): string | undefined =>
  NAMED_COLORS[color] ?? (/^#[0-9a-f]{3,8}$/i.test(color) ? color : undefined);
