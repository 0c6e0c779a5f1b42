import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { FaultNote } from '../../parts/fault-note';
import { Field } from '../../parts/field';
import { ChannelSelect } from '../../parts/team-picker';
import { useSettled } from '../../parts/use-settled';
import { Outcome } from './dry-run-outcome';
import type { OutgoingHook } from './outgoing-queries';

interface WordsPreviewProps {
  readonly teamId: string;
  /** The webhook to edit; undefined for a new one. */
  readonly hook: OutgoingHook | undefined;
  readonly channelId: string;
  readonly words: readonly string[];
  readonly when: OutgoingHook['trigger_when'];
}

/** Shows which of the latest messages the words would fire on, as the user types. */
export function WordsPreview({ teamId, hook, channelId, words, when }: WordsPreviewProps): ReactNode {
  const [tried, setTried] = useState('');
  const inChannel = channelId || tried;
  const settled = JSON.parse(useSettled(JSON.stringify(words))) as string[];
  const hasSense = inChannel !== '' && (settled.length > 0 || channelId !== '');
  const { data, error } = useQuery({
    queryKey: ['dry-run', hook?.id, teamId, channelId, inChannel, settled, when],
    queryFn: () => {
      const body = {
        trigger_words: settled,
        trigger_when: when,
        channel_id: channelId,
        in_channel_id: inChannel,
      };
      return answerOf(
        hook
          ? api.POST('/api/v4/hooks/outgoing/{hook_id}/dry_run', {
              params: { path: { hook_id: hook.id } },
              body,
            })
          : api.POST('/api/v4/hooks/outgoing/dry_run', { body: { ...body, team_id: teamId } }),
      );
    },
    enabled: hasSense,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <details>
      <summary>
        {hasSense && data
          ? `Would have fired on ${data.would_fire_count} of the last ${data.post_count} messages`
          : 'Try it on the last messages'}
      </summary>
      {channelId === '' && (
        <Field label="Messages of">
          <ChannelSelect teamId={teamId} value={tried} onChange={setTried} required={false} />
        </Field>
      )}
      {hasSense && error && <FaultNote error={error} />}
      {hasSense && data && !error && <Outcome tried={data} />}
    </details>
  );
}
