import { Button, Text, Textarea } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { useUser } from '../../app/session';
import { useDraft } from '../../parts/drafts';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { Markdown } from '../../parts/markdown';

interface WriteMessageProps {
  readonly channelId: string;
  readonly rootId?: string;
  /** What is shown while nothing is written. */
  readonly placeholder: string;
  readonly onSent?: () => void;
}

/** Posts as the user and fires outgoing webhooks as usual. A retry after a lost response posts only once. */
export function WriteMessage({ channelId, rootId = '', placeholder, onSent }: WriteMessageProps): ReactNode {
  const { id: userId } = useUser();
  const key = `message.${rootId || channelId}`;
  const [message, setMessage] = useDraft(key);
  /** Lets the server recognize a message it already has; saved with the draft. */
  const [pendingId, setPendingId] = useDraft(`${key}.pending`);
  const [isPreviewed, setPreviewed] = useState(false);
  const send = async (): Promise<void> => {
    const id = pendingId || `${userId}:${Date.now()}`;
    setPendingId(id);
    const body = { channel_id: channelId, root_id: rootId, message, pending_post_id: id };
    await answerOf(api.POST('/api/v4/posts', { body }));
    setPendingId((now) => (now === id ? '' : now));
    setMessage((now) => (now === message ? '' : now));
    await queries.invalidateQueries({ queryKey: ['posts'] });
    onSent?.();
  };
  const preview = (
    <>
      <Button
        variant={isPreviewed ? 'light' : 'subtle'}
        color={isPreviewed ? 'iris' : 'gray'}
        leftSection={<IconEye size={15} aria-hidden />}
        aria-pressed={isPreviewed}
        onClick={() => setPreviewed(!isPreviewed)}
      >
        Preview
      </Button>
      {rootId === '' && (
        <Text size="xs" c="dimmed" flex={1} truncate visibleFrom="sm">
          Markdown · Ctrl+Enter to send
        </Text>
      )}
    </>
  );
  return (
    <div className="composer">
      <Form isPart isKept action="Send" onSubmit={send} extra={preview}>
        <Field label={rootId === '' ? 'Write a message' : 'Write a reply'} name="message">
          <Textarea
            variant="unstyled"
            autosize
            minRows={1}
            maxRows={8}
            placeholder={placeholder}
            value={message}
            onChange={({ target }) => {
              setMessage(target.value);
              setPendingId('');
            }}
            onKeyDown={sendOnControlEnter}
            required
          />
        </Field>
        {isPreviewed && (
          <section className="composer-preview scrolling" aria-label="Preview" tabIndex={0}>
            {message === '' ? <p className="muted">Nothing to preview yet.</p> : <Markdown text={message} />}
          </section>
        )}
      </Form>
    </div>
  );
}

/** Enter alone starts a new line. */
function sendOnControlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
}
