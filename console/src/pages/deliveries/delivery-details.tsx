import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { Code } from '../../parts/code';
import { Copy } from '../../parts/copy';
import { Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { StatusBadge } from '../../parts/status-badge';
import { outgoingHook } from '../outgoing/outgoing-queries';
import { AttemptView } from './attempt';
import { CompareAttempts } from './compare-attempts';
import { delivery, type DeliveryDetail } from './delivery-queries';
import { DeliverySteps } from './delivery-steps';
import { describeReason } from './reasons';
import { SignedRequest } from './signed-request';
import { standingOfDelivery } from './standing';
import { bytesIn } from './texts';
import { WhyFired } from './why-fired';

interface DeliveryDetailsProps {
  readonly hookId: string;
  readonly deliveryId: string;
}

/** One delivery from message to reply: its state, the response, why it fired, and the request. */
export function DeliveryDetails({ hookId, deliveryId }: DeliveryDetailsProps): ReactNode {
  const client = useQueryClient();
  const query = useQuery(delivery(hookId, deliveryId));
  const send = async (): Promise<void> => {
    await answerOf(
      api.POST('/api/v4/hooks/outgoing/{hook_id}/deliveries/{delivery_id}/retry', {
        params: { path: { hook_id: hookId, delivery_id: deliveryId } },
      }),
    );
    await client.invalidateQueries({ queryKey: ['deliveries'] });
  };
  return (
    <Loaded query={query}>
      {(found) => (
        <>
          <Summary found={found} />
          <Form action="Send again" onSubmit={send} />
          <DeliverySteps found={found} />
          {found.attempt_list.toReversed().map((attempt) => (
            <AttemptView key={attempt.number} attempt={attempt} found={found} />
          ))}
          {found.attempt_list.length > 1 && <CompareAttempts attempts={found.attempt_list} />}
          <WhyFired found={found} />
          <Payload found={found} />
          <h2>Send it manually</h2>
          <SignedRequest hookId={hookId} deliveryId={deliveryId} />
        </>
      )}
    </Loaded>
  );
}

function Summary({ found }: { readonly found: DeliveryDetail }): ReactNode {
  const { data: hook } = useQuery(outgoingHook(found.hook_id));
  const standing = standingOfDelivery(found);
  return (
    <dl className="facts">
      <dt>Webhook</dt>
      <dd>
        <Link to="/outgoing/$hookId" params={{ hookId: found.hook_id }}>
          {hook?.display_name || 'Unnamed'}
        </Link>
      </dd>
      <dt>State</dt>
      <dd>
        <StatusBadge status={standing} /> {describeReason(found.reason)}
        {found.left_out_calls > 0 && ` ${describeLeftOut(found)}`}
      </dd>
      <dt>URL</dt>
      <dd>
        <code>{found.callback_url}</code>
      </dd>
      <dt>Id</dt>
      <dd className="row">
        <code>{found.id}</code>
        <Copy text={location.href} label="Copy the link to this delivery" caption="Copy link" />
      </dd>
      <dt>Message</dt>
      <dd className="row">
        <Link to="/channels" search={{ thread: found.post_id }}>
          Show the message
        </Link>
        {found.reply_post_id !== '' && (
          <Link to="/channels" search={{ thread: found.reply_post_id }}>
            Show the reply
          </Link>
        )}
      </dd>
    </dl>
  );
}

/** Describes the calls left out because a message triggered too many; one delivery stands for them. */
function describeLeftOut({ left_out_calls: calls, left_out_hooks: hooks }: DeliveryDetail): string {
  const of = hooks === 1 ? 'one webhook' : `${hooks} webhooks`;
  return calls === 1 ? `One call of ${of} was left out.` : `${calls} calls of ${of} were left out.`;
}

function Payload({ found }: { readonly found: DeliveryDetail }): ReactNode {
  const text = JSON.stringify(found.payload, null, 2);
  return (
    <>
      <h2>Payload</h2>
      <Code label="the payload" text={text} />
      <p className="muted">
        As <code>{found.content_type}</code>, {bytesIn(JSON.stringify(found.payload))} bytes of JSON, without
        the token that is added to each call.
      </p>
    </>
  );
}
