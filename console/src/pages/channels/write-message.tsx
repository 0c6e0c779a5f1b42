import { Textarea } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { useUser } from '../../app/session';
import { useDraft } from '../../parts/drafts';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';

interface WriteMessageProps {
  readonly channelId: string;
  readonly rootId?: string;
  readonly onSent?: () => void;
}

/** Posts as the user and fires outgoing webhooks as usual. A retry after a lost response posts only once. */
export function WriteMessage({ channelId, rootId = '', onSent }: WriteMessageProps): ReactNode {
  const { id: userId } = useUser();
  const key = `message.${rootId || channelId}`;
  const [message, setMessage] = useDraft(key);
  /** Lets the server recognize a message it already has; saved with the draft. */
  const [pendingId, setPendingId] = useDraft(`${key}.pending`);
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
  return (
    <div className="write">
      <Form isPart isKept action="Send" onSubmit={send}>
        <Field label={rootId === '' ? 'Write a message' : 'Write a reply'} name="message">
          <Textarea
            rows={2}
            placeholder="Ctrl+Enter to send"
            value={message}
            onChange={({ target }) => {
              setMessage(target.value);
              setPendingId('');
            }}
            onKeyDown={sendOnControlEnter}
            required
          />
        </Field>
      </Form>
    </div>
  );
}

/** Enter alone starts a new line. */
function sendOnControlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
}
