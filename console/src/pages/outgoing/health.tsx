import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { Form } from '../../parts/form';
import { Time } from '../../parts/time';
import { UrlState } from './callback-urls';
import { hookHealth, type OutgoingHook, waitingDeliveries } from './outgoing-queries';

/** Where a webhook's deliveries go, since when it fails, and what waits; for a list of facts. */
export function Health({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const { data: health } = useQuery(hookHealth(hook.id));
  const failingSince = (url: string): number =>
    health?.urls.find((one) => one.url === url)?.failing_since ?? 0;
  return (
    <>
      <dt>{hook.delivery === 'pull' ? 'Pulled' : 'Calls'}</dt>
      <dd>
        {hook.callback_urls.map((url) => (
          <div key={url}>
            <code>{url}</code> <UrlState hook={hook} url={url} />
            {failingSince(url) > 0 && (
              <span className="muted">
                {' '}
                since <Time at={failingSince(url)} isInText />
              </span>
            )}
          </div>
        ))}
        <span className="muted">as {hook.content_type}</span>
      </dd>
      {health && (
        <>
          <dt>Last success</dt>
          <dd>{health.last_success_at === 0 ? 'none' : <Time at={health.last_success_at} isInText />}</dd>
          {health.waiting > 0 && (
            <>
              <dt>Waiting</dt>
              <dd>
                {health.waiting}
                {health.waiting >= MAX_COUNTED && ' or more'}, the oldest since{' '}
                <Time at={health.oldest_waiting_at} isInText />
              </dd>
            </>
          )}
        </>
      )}
    </>
  );
}

/** The API counts no further. */
const MAX_COUNTED = 1_000;

/** Deliveries that delay others of their channel, with a way to skip them. */
export function BlockedLanes({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const client = useQueryClient();
  const { data: waiting = [] } = useQuery(waitingDeliveries(hook.id));
  const heads = new Map(waiting.filter((one) => one.blocked_by !== '').map((one) => [one.blocked_by, one]));
  const skip = async (deliveryId: string): Promise<void> => {
    await answerOf(
      api.POST('/api/v4/hooks/outgoing/{hook_id}/deliveries/{delivery_id}/skip', {
        params: { path: { hook_id: hook.id, delivery_id: deliveryId } },
      }),
    );
    await client.invalidateQueries({ queryKey: ['deliveries'] });
  };
  return [...heads].map(([id, { blocked_since: since }]) => (
    <Form key={id} action="Skip it" onSubmit={() => skip(id)}>
      <p>
        A delivery has failed since <Time at={since} isInText /> and delays the next ones of its channel.{' '}
        <a href={`#/outgoing/${hook.id}?delivery=${id}`}>Show it</a>
      </p>
    </Form>
  ));
}
