import { Box, Group, Paper, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { FaultNote } from '../../parts/fault-note';
import { PostAuthor, PostAvatar } from '../../parts/post-author';
import { PostContent } from '../../parts/post-content';
import { useSettled } from '../../parts/use-settled';
import type { Reading } from './hook-fields';
import { of } from './incoming-queries';
import type { Sent } from './test-payload';

type PreviewBody = Schemas['PreviewIncomingHookDto'];
type Preview = NonNullable<ReturnType<typeof usePreview>['data']>;

/** What the server would make of a call, a moment after the last change. */
export function usePreview(hookId: string, { text, headers }: Sent, { format, template }: Reading) {
  const body = useSettled(
    JSON.stringify({
      payload: text,
      content_type: headers['content-type'] ?? '',
      headers,
      format,
      ...(format === 'template' && { template }),
    } satisfies PreviewBody),
  );
  return useQuery({
    queryKey: ['incoming', hookId, 'preview', body],
    queryFn: () =>
      answerOf(
        api.POST('/api/v4/hooks/incoming/{hook_id}/preview', {
          ...of(hookId),
          body: JSON.parse(body) as PreviewBody,
        }),
      ),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0, // payloads are large, and each pause in typing adds one
  });
}

interface MessagesProps {
  readonly preview: Preview | undefined;
  readonly error: Error | null;
  /** The author of messages without a name of their own. */
  readonly author: string;
}

/** The messages of a call as they will look, or the reason it would be refused. */
export function Messages({ preview, error, author }: MessagesProps): ReactNode {
  return (
    <Paper withBorder className="preview" px="md" py="xs" mih={96} aria-live="polite">
      {error ? (
        <FaultNote error={error} isQuiet />
      ) : (
        preview && (
          <>
            {preview.posts.map(({ message, props }, index) => (
              <Group key={index} component="article" className="post" align="start" wrap="nowrap" gap="sm">
                <PostAvatar name={author} props={props} />
                <Box flex={1} miw={0}>
                  <Group gap={6}>
                    <PostAuthor name={author} props={props} />
                    <Text size="xs" c="dimmed">
                      now
                    </Text>
                  </Group>
                  <PostContent message={message} props={props} />
                </Box>
              </Group>
            ))}
            <Notes preview={preview} />
          </>
        )
      )}
    </Paper>
  );
}

function Notes({ preview }: { readonly preview: Preview }): ReactNode {
  const { ignored, post_count: count, posts, not_understood: blocks } = preview;
  if (ignored === undefined && count === posts.length && blocks === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {ignored !== undefined && `It posts nothing: ${ignored}. `}
      {count > posts.length && `And ${count - posts.length} more. `}
      {blocks > 0 && `Not supported, and left out: ${blocks} blocks.`}
    </Text>
  );
}
