import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';

interface WriteMessageProps {
  readonly channelId: string;
  readonly rootId?: string;
}

/** Writes a message as the user. It fires outgoing webhooks as any other does. */
export function WriteMessage({ channelId, rootId = '' }: WriteMessageProps): ReactNode {
  const [message, setMessage] = useState('');
  const send = async (): Promise<void> => {
    await answerOf(api.POST('/api/v4/posts', { body: { channel_id: channelId, root_id: rootId, message } }));
    setMessage('');
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
