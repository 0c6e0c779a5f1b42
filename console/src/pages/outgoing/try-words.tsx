import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { FaultNote } from '../../parts/fault-note';
import { Field } from '../../parts/field';
import { ChannelSelect } from '../../parts/team-picker';
import { useSettled } from '../../parts/use-settled';
import { DryRun } from './dry-run';
import type { OutgoingHook } from './outgoing-queries';

/** Shows whether a message would call the webhook, and what other words would do. Sends nothing. */
export function TryWords({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const [channelId, setChannelId] = useState(hook.channel_id);
  return (
    <>
      <Field label="In the channel">
        <ChannelSelect teamId={hook.team_id} value={channelId} onChange={setChannelId} />
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
  const tried = useSettled(message);
  const { data: mine, error } = useQuery({
    queryKey: ['explain', hook.id, channelId, tried],
    queryFn: () => explain(hook.id, channelId, tried),
    enabled: channelId !== '' && tried !== '',
  });
  const isAsked = channelId !== '' && message !== '';
  return (
    <div className="split">
      <Field label="A message">
        <TextInput value={message} onChange={({ target }) => setMessage(target.value)} />
      </Field>
      {isAsked && error ? (
        <FaultNote error={error} />
      ) : (
        <p role="status">{isAsked ? <Verdict found={mine} /> : NOTHING_YET}</p>
      )}
    </div>
  );
}

const NOTHING_YET = (
  <span className="muted">Type a message to see whether it would call this webhook. Nothing is sent.</span>
);

interface VerdictProps {
  /** Undefined while loading, null if the webhook is gone. */
  readonly found: Schemas['HookExplanationDto'] | null | undefined;
}

function Verdict({ found }: VerdictProps): ReactNode {
  if (found === undefined) return <span className="muted">Looking…</span>;
  if (found === null) return <span className="fault">The team no longer has this webhook.</span>;
  return (
    <>
      <b>{found.fires ? `Fires on “${found.trigger_word}”. ` : 'Does not fire. '}</b>
      {found.explanation}
    </>
  );
}

const PAGE = 200;
/** More than a team may have, unless its limits are raised far. */
const MAX_PAGES = 50;

/** Pages through the results to find this webhook. Null if it is missing. */
async function explain(
  hookId: string,
  channelId: string,
  message: string,
): Promise<Schemas['HookExplanationDto'] | null> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const { hooks } = await answerOf(
      api.POST('/api/v4/hooks/outgoing/explain', {
        params: { query: { page, per_page: PAGE } },
        body: { channel_id: channelId, message },
      }),
    );
    const found = hooks.find(({ hook_id: id }) => id === hookId);
    if (found) return found;
    if (hooks.length < PAGE) break;
  }
  return null;
}
