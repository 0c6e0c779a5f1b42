import { Paper, Stack, Text } from '@mantine/core';
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
            <AttachmentFields fields={fields} />
            <Picture kind="Image" address={text('image_url')} />
            <Picture kind="Thumbnail" address={text('thumb_url')} />
            <Foot text={text('footer')} ts={attachment['ts']} />
          </Stack>
        </Paper>
      )}
    </>
  );
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
      {hasTime && <AttachmentTime ts={ts} />}
    </Text>
  );
}

const colorOf = (color: string): string | undefined =>
  NAMED_COLORS[color] ?? (/^#[0-9a-f]{3,8}$/i.test(color) ? color : undefined);
