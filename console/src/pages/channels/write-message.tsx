import { type ReactNode, useRef } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { useUser } from '../../app/session';
import { useDraft } from '../../parts/drafts';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';

interface WriteMessageProps {
  readonly channelId: string;
  readonly rootId?: string;
}

/** Writes a message as the user. It fires outgoing webhooks as any other does. Sent again after a lost answer, it is posted once. */
export function WriteMessage({ channelId, rootId = '' }: WriteMessageProps): ReactNode {
  const { id: userId } = useUser();
  const [message, setMessage] = useDraft(`${userId}.${rootId || channelId}`);
  const pending = useRef({ message: '', id: '' });
  const send = async (): Promise<void> => {
    if (pending.current.message !== message) pending.current = { message, id: `${userId}:${Date.now()}` };
    const body = { channel_id: channelId, root_id: rootId, message, pending_post_id: pending.current.id };
    await answerOf(api.POST('/api/v4/posts', { body }));
    pending.current = { message: '', id: '' };
    setMessage((now) => (now === message ? '' : now));
    await queries.invalidateQueries({ queryKey: ['posts'] });
  };
  return (
    <Form action="Send" onSubmit={send}>
      <Field label={rootId === '' ? 'Write a message' : 'Write a reply'}>
        <textarea rows={2} value={message} onChange={({ target }) => setMessage(target.value)} required />
      </Field>
    </Form>
  );
}
