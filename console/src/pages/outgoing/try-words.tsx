import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { Field } from '../../parts/field';
import { ChannelSelect } from '../../parts/team-picker';
import { DryRun } from './dry-run';
import type { OutgoingHook } from './outgoing-queries';

/** Whether a message would call the webhook, and what other words would have done. Nothing is sent. */
export function TryWords({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const [channelId, setChannelId] = useState(hook.channel_id);
  return (
    <>
      <Field label="In the channel">
        <ChannelSelect teamId={hook.team_id} value={channelId} onChoose={setChannelId} />
      </Field>
      <TryMessage hook={hook} channelId={channelId} />
      <h2>With other words, on the last 200 messages</h2>
      <DryRun hook={hook} channelId={channelId} />
    </>
  );
}

interface TryMessageProps {
  readonly hook: OutgoingHook;
  readonly channelId: string;
}

function TryMessage({ hook, channelId }: TryMessageProps): ReactNode {
  const [message, setMessage] = useState('');
  const tried = useDeferredValue(message);
  const { data, error } = useQuery({
    queryKey: ['explain', channelId, tried],
    queryFn: () =>
      answerOf(
        api.POST('/api/v4/hooks/outgoing/explain', { body: { channel_id: channelId, message: tried } }),
      ),
    enabled: channelId !== '' && tried !== '',
  });
  const mine = data?.hooks.find(({ hook_id: id }) => id === hook.id);
  return (
    <div className="split">
      <Field label="A message">
        <input value={message} onChange={({ target }) => setMessage(target.value)} />
      </Field>
      <p role="status">
        {error ? (
          <span className="fault">{error.message}</span>
        ) : mine ? (
          <>
            <b>{mine.fires ? `Fires on “${mine.trigger_word}”. ` : 'Does not fire. '}</b>
            {mine.explanation}
          </>
        ) : (
          <span className="muted">
            Type a message to see whether it would call this webhook. Nothing is sent.
          </span>
        )}
      </p>
    </div>
  );
}
