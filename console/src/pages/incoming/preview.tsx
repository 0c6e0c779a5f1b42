import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { FaultNote } from '../../parts/fault-note';
import { PostAuthor, PostAvatar } from '../../parts/post-author';
import { PostContent } from '../../parts/post-content';
import { useSettled } from '../../parts/use-settled';
import type { Reading } from './format-fields';

/** A call as sent. */
export interface Sent {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface PreviewProps {
  readonly hookId: string;
  readonly call: Sent;
  readonly reading: Reading;
}

/** Server-side preview of the messages of a call, or the reason it would be refused. */
export function Preview({ hookId, call, reading }: PreviewProps): ReactNode {
  const body = useSettled(JSON.stringify(bodyOf(call, reading)));
  const { data, error } = useQuery({
    queryKey: ['incoming', hookId, 'preview', body],
    queryFn: () =>
      answerOf(
        api.POST('/api/v4/hooks/incoming/{hook_id}/preview', {
          params: { path: { hook_id: hookId } },
          body: JSON.parse(body) as Schemas['PreviewIncomingHookDto'],
        }),
      ),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0, // payloads are large, and each pause in typing adds one
  });
  return (
    <div className="preview" aria-live="polite">
      {error ? (
        <>
          <FaultNote error={error} isQuiet />
          {reading.format === 'template' && (
            <FaultyLine message={error.message} template={reading.template} />
          )}
        </>
      ) : (
        <>
          {data?.posts.map((post, index) => (
            <PreviewedPost key={index} post={post} />
          ))}
          {data?.ignored !== undefined && <p className="muted">It posts nothing: {data.ignored}.</p>}
          {data && data.post_count > data.posts.length && (
            <p className="muted">And {data.post_count - data.posts.length} more.</p>
          )}
          {data && data.not_understood > 0 && (
            <p className="muted">Not supported, and left out: {data.not_understood} blocks.</p>
          )}
        </>
      )}
    </div>
  );
}

const bodyOf = (
  { text, headers }: Sent,
  { format, template }: Reading,
): Schemas['PreviewIncomingHookDto'] => ({
  payload: text,
  content_type: headers['content-type'] ?? '',
  headers,
  format,
  ...(format === 'template' && { template }),
});

interface FaultyLineProps {
  readonly message: string;
  readonly template: string;
}

/** The line of a template that an error names. */
function FaultyLine({ message, template }: FaultyLineProps): ReactNode {
  const line = Number(/\bline:(\d+)/.exec(message)?.[1]);
  const text = template.split('\n')[line - 1];
  if (text === undefined) return null;
  return (
    <p>
      Line {line} of the template: <code>{text}</code>
    </p>
  );
}

function PreviewedPost({ post }: { readonly post: Schemas['PreviewedPostDto'] }): ReactNode {
  return (
    <article className="post">
      <header className="row">
        <PostAvatar name="" props={post.props} />
        <PostAuthor name="" props={post.props} />
      </header>
      <PostContent message={post.message} props={post.props} />
    </article>
  );
}
