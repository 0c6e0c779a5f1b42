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

/** Writes a message as the user. It fires outgoing webhooks as any other does. Sent again after a lost answer, it is posted once. */
export function WriteMessage({ channelId, rootId = '', onSent }: WriteMessageProps): ReactNode {
  const { id: userId } = useUser();
  const key = `message.${rootId || channelId}`;
  const [message, setMessage] = useDraft(key);
  /** By which the server knows a message that it has already; it is kept with the draft. */
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
          <textarea
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

/** Enter alone begins a new line. */
function sendOnControlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
}
