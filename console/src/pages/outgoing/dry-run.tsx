import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { Outcome } from './dry-run-outcome';
import { linesOf } from './outgoing-hook-form';
import type { OutgoingHook } from './outgoing-queries';

interface Tried {
  /** The words and channel of the outcome. */
  readonly words: string;
  readonly channelId: string;
  readonly outcome: Schemas['DryRunDto'];
}

interface DryRunProps {
  readonly hook: OutgoingHook;
  readonly channelId: string;
}

/** Compares what other trigger words would fire. Changes nothing and calls nothing. */
export function DryRun({ hook, channelId }: DryRunProps): ReactNode {
  const [words, setWords] = useState(hook.trigger_words.join('\n'));
  const [tried, setTried] = useState<Tried | null>(null);
  const tryWords = async (): Promise<void> => {
    setTried(null);
    const outcome = await answerOf(
      api.POST('/api/v4/hooks/outgoing/{hook_id}/dry_run', {
        params: { path: { hook_id: hook.id } },
        body: {
          trigger_words: linesOf(words),
          ...(channelId === '' ? {} : { in_channel_id: channelId }),
        },
      }),
    );
    setTried({ words, channelId, outcome });
  };
  return (
    <>
      <Form action="Try" onSubmit={tryWords}>
        <Field name="trigger_words" label="Words, one per line">
          <Textarea rows={3} value={words} onChange={({ target }) => setWords(target.value)} />
        </Field>
      </Form>
      {tried?.words === words && tried.channelId === channelId && <Outcome tried={tried.outcome} />}
    </>
  );
}
