import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { FaultNote } from '../../parts/fault-note';
import { PostAuthor } from '../../parts/post-author';
import { PostContent } from '../../parts/post-content';
import { useSettled } from '../../parts/use-settled';

interface PreviewProps {
  readonly hookId: string;
  readonly text: string;
  readonly type: string;
}

/** Server-side preview of a payload's messages, or the reason it would be refused. */
export function Preview({ hookId, text, type }: PreviewProps): ReactNode {
  const payload = useSettled(text);
  const { data, error } = useQuery({
    queryKey: ['incoming', hookId, 'preview', payload, type],
    queryFn: () =>
      answerOf(
        api.POST('/api/v4/hooks/incoming/{hook_id}/preview', {
          params: { path: { hook_id: hookId } },
          body: { payload, content_type: type },
        }),
      ),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0, // payloads are large, and each pause in typing adds one
  });
  return (
    <div className="preview" aria-live="polite">
      {error ? (
        <FaultNote error={error} isQuiet />
      ) : (
        <>
          {data?.posts.map((post, index) => (
            <PreviewedPost key={index} post={post} />
          ))}
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

function PreviewedPost({ post }: { readonly post: Schemas['PreviewedPostDto'] }): ReactNode {
  return (
    <article className="post">
      <header className="row">
        <PostAuthor name="" props={post.props} />
      </header>
      <PostContent message={post.message} props={post.props} />
    </article>
  );
}
