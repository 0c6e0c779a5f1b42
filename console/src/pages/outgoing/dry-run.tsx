import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { Badge } from '../../parts/badge';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { Time } from '../../parts/time';
import { linesOf } from './outgoing-hook-form';
import type { OutgoingHook } from './outgoing-queries';

type Tried = Schemas['DryRunDto'];

interface DryRunProps {
  readonly hook: OutgoingHook;
  readonly channelId: string;
}

/** What other words would fire, beside what the present ones do. Nothing is changed and nothing is called. */
export function DryRun({ hook, channelId }: DryRunProps): ReactNode {
  const [words, setWords] = useState(hook.trigger_words.join('\n'));
  const [tried, setTried] = useState<Tried | null>(null);
  const tryWords = async (): Promise<void> => {
    setTried(null);
    setTried(
      await answerOf(
        api.POST('/api/v4/hooks/outgoing/{hook_id}/dry_run', {
          params: { path: { hook_id: hook.id } },
          body: {
            trigger_words: linesOf(words),
            ...(channelId === '' ? {} : { in_channel_id: channelId }),
          },
        }),
      ),
    );
  };
  return (
    <>
      <Form action="Try" onSubmit={tryWords}>
        <Field label="Words, one a line">
          <textarea rows={3} value={words} onChange={({ target }) => setWords(target.value)} />
        </Field>
      </Form>
      {tried && <Outcome tried={tried} />}
    </>
  );
}

function Outcome({ tried }: { readonly tried: Tried }): ReactNode {
  return (
    <>
      <p role="status">
        Of {tried.post_count} messages, <b>{tried.firing_now_count}</b> fire now, and{' '}
        <b>{tried.would_fire_count}</b> would. {tried.would_be_silent_reason}
      </p>
      {tried.posts.length > 0 && (
        <div className="table">
          <table>
            <thead>
              <tr>
                <th>When</th>
                <th>Message</th>
                <th>Now</th>
                <th>Then</th>
              </tr>
            </thead>
            <tbody>
              {tried.posts.map((post) => (
                <tr key={post.post_id}>
                  <td>
                    <Time at={post.create_at} />
                  </td>
                  <td>{post.excerpt}</td>
                  <td>
                    <Firing isFiring={post.fires_now} word={post.trigger_word_now} />
                  </td>
                  <td>
                    <Firing isFiring={post.would_fire} word={post.would_be_trigger_word} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

interface FiringProps {
  readonly isFiring: boolean;
  readonly word: string;
}

function Firing({ isFiring, word }: FiringProps): ReactNode {
  return isFiring ? <Badge tone="good">{word || 'fires'}</Badge> : <Badge tone="quiet">silent</Badge>;
}
