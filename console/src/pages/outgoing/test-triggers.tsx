import { Divider, SimpleGrid, Table, Text, Textarea, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { Badge } from '../../parts/badge';
import { FaultNote } from '../../parts/fault-note';
import { Field } from '../../parts/field';
import { ChannelSelect } from '../../parts/team-picker';
import { Time } from '../../parts/time';
import { useSettled } from '../../parts/use-settled';
import { linesOf } from './call-values';
import { describePause, type OutgoingHook } from './outgoing-queries';
import { Section } from './section';

/** Shows whether a message would trigger the webhook, and what other words would do. Sends nothing. */
export function TestTriggers({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const [channelId, setChannelId] = useState(hook.channel_id);
  const [words, setWords] = useState(hook.trigger_words.join('\n'));
  return (
    <Section title="Test triggers" description="Nothing is sent, and nothing is changed.">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Field label="Channel">
          <ChannelSelect teamId={hook.team_id} value={channelId} onChange={setChannelId} />
        </Field>
        <TryMessage hook={hook} channelId={channelId} />
      </SimpleGrid>
      <Divider my="sm" />
      <Field label="Other trigger words" hint="One per line, tried on the latest messages of the channel.">
        <Textarea autosize minRows={2} value={words} onChange={({ target }) => setWords(target.value)} />
      </Field>
      <WordsPreview teamId={hook.team_id} hook={hook} inChannel={channelId} words={linesOf(words)} />
    </Section>
  );
}

function TryMessage({
  hook,
  channelId,
}: {
  readonly hook: OutgoingHook;
  readonly channelId: string;
}): ReactNode {
  const [message, setMessage] = useState('');
  const tried = useSettled(message);
  const { data: found, error } = useQuery({
    queryKey: ['explain', hook.id, channelId, tried],
    queryFn: () => explain(hook.id, channelId, tried),
    enabled: channelId !== '' && tried !== '',
  });
  return (
    <div>
      <Field label="Message">
        <TextInput
          placeholder="Type a message to see whether it would trigger"
          value={message}
          onChange={({ target }) => setMessage(target.value)}
        />
      </Field>
      {message !== '' && error && <FaultNote error={error} />}
      {message !== '' && found !== undefined && !error && (
        <Text size="sm" role="status">
          <b>{found?.fires ? `Triggers on “${found.trigger_word}”. ` : 'Does not trigger. '}</b>
          {found ? found.explanation : 'The team no longer has this webhook.'}
        </Text>
      )}
    </div>
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

interface WordsPreviewProps {
  readonly teamId: string;
  /** Undefined for a new webhook. */
  readonly hook?: OutgoingHook | undefined;
  /** Channel whose messages are tried. */
  readonly inChannel: string;
  /** Settings that are not saved yet. */
  readonly unsaved?: Pick<OutgoingHook, 'channel_id' | 'trigger_when'>;
  readonly words: readonly string[];
}

/** Shows which of the latest messages the words would trigger on, as the user types. */
export function WordsPreview({ teamId, hook, inChannel, unsaved, words }: WordsPreviewProps): ReactNode {
  const settled = JSON.parse(useSettled(JSON.stringify(words))) as string[];
  const { data, error } = useQuery({
    queryKey: ['dry-run', hook?.id, teamId, inChannel, settled, unsaved],
    queryFn: () => {
      const body = { ...unsaved, trigger_words: settled, in_channel_id: inChannel };
      return answerOf(
        hook
          ? api.POST('/api/v4/hooks/outgoing/{hook_id}/dry_run', {
              params: { path: { hook_id: hook.id } },
              body,
            })
          : api.POST('/api/v4/hooks/outgoing/dry_run', { body: { ...body, team_id: teamId } }),
      );
    },
    enabled: inChannel !== '' && (settled.length > 0 || unsaved?.channel_id !== ''),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (error) return <FaultNote error={error} />;
  return data ? <Outcome tried={data} /> : null;
}

function Outcome({ tried }: { readonly tried: Schemas['DryRunDto'] }): ReactNode {
  const { post_count: count, would_fire_count: then, firing_now_count: now, posts } = tried;
  return (
    <>
      <Text size="sm" role="status">
        <b>{then}</b> of the last {count} messages would trigger it{then === now ? '' : `; ${now} do now`}.{' '}
        {describePause(tried.would_be_silent_reason)}
      </Text>
      {posts.length > 0 && (
        <details>
          <Text component="summary" size="sm">
            Show the messages
          </Text>
          <Table.ScrollContainer minWidth={420} mah={280}>
            <Table
              data={{
                head: ['Time', 'Message', 'Now', 'Then'],
                body: posts.map((post) => [
                  <Time key="time" at={post.create_at} />,
                  post.excerpt,
                  triggering(post.fires_now, post.trigger_word_now),
                  triggering(post.would_fire, post.would_be_trigger_word),
                ]),
              }}
            />
          </Table.ScrollContainer>
        </details>
      )}
    </>
  );
}

const triggering = (is: boolean, word: string): ReactNode =>
  is ? <Badge tone="good">{word || 'Triggers'}</Badge> : <Badge tone="quiet">No</Badge>;
