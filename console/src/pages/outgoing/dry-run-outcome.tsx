import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { Badge } from '../../parts/badge';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';

type Tried = Schemas['DryRunDto'];

/** Messages that fire with the current words, and with the new ones. */
export function Outcome({ tried }: { readonly tried: Tried }): ReactNode {
  return (
    <>
      <p role="status">
        Of {tried.post_count} messages, <b>{tried.firing_now_count}</b> fire now, and{' '}
        <b>{tried.would_fire_count}</b> would. {tried.would_be_silent_reason}
      </p>
      {tried.posts.length > 0 && (
        <Table heads={['When', 'Message', 'Now', 'Then']}>
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
        </Table>
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
