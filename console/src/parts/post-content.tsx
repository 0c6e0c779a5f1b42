import type { ReactNode } from 'react';
import { AttachmentView } from './attachment';
import { Markdown } from './markdown';

interface PostContentProps {
  readonly message: string;
  readonly props: Readonly<Record<string, unknown>>;
}

/** Message text and attachments. HTML is never interpreted, and images are not loaded. */
export function PostContent({ message, props }: PostContentProps): ReactNode {
  const attachments = Array.isArray(props['attachments']) ? (props['attachments'] as unknown[]) : [];
  return (
    <>
      {message !== '' && <Markdown text={message} />}
      {attachments.map((attachment, index) =>
        typeof attachment === 'object' && attachment ? (
          <AttachmentView key={index} attachment={attachment as Record<string, unknown>} />
        ) : null,
      )}
    </>
  );
}
