import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { Badge } from '../../parts/badge';
import { Code } from '../../parts/code';
import { Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { exactTime, Time } from '../../parts/time';
import { type Attempt, delivery, type DeliveryDetail, TONES } from './delivery-queries';

interface DeliveryDetailsProps {
  readonly hookId: string;
  readonly deliveryId: string;
}

/** One delivery from the message to the reply: each attempt, what was sent and answered, and where the time went. */
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
          <h2>What was sent</h2>
          <Code label="the payload" text={JSON.stringify(found.payload, null, 2)} />
          {found.attempt_list.toReversed().map((attempt) => (
            <AttemptView key={attempt.number} attempt={attempt} />
          ))}
          <Form action="Send again" onSubmit={send} />
        </>
      )}
    </Loaded>
  );
}

function Summary({ found }: { readonly found: DeliveryDetail }): ReactNode {
  return (
    <dl className="facts">
      <dt>State</dt>
      <dd>
        <Badge tone={TONES[found.status] ?? 'quiet'}>{found.status}</Badge> {found.reason}
      </dd>
      <dt>Address</dt>
      <dd>
        <code>{found.callback_url}</code>
      </dd>
      <dt>Stored</dt>
      <dd>
        {exactTime(found.create_at)} (<Time at={found.create_at} />)
      </dd>
      {found.finish_at > 0 && (
        <>
          <dt>Settled</dt>
          <dd>
            {exactTime(found.finish_at)}, {found.finish_at - found.create_at} ms later
          </dd>
        </>
      )}
      {found.next_attempt_at > 0 && found.finish_at === 0 && (
        <>
          <dt>Next attempt</dt>
          <dd>
            <Time at={found.next_attempt_at} none="as soon as there is room" />
          </dd>
        </>
      )}
      <dt>Message</dt>
      <dd>
        <Link to="/channels" search={{ thread: found.post_id }}>
          Show the message{found.reply_post_id && ' and the reply'}
        </Link>
      </dd>
    </dl>
  );
}

function AttemptView({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const isGood = attempt.status_code >= 200 && attempt.status_code < 300;
  return (
    <section aria-label={`Attempt ${attempt.number}`}>
      <h2>
        Attempt {attempt.number}{' '}
        <Badge tone={isGood ? 'good' : 'bad'}>{attempt.status_code || attempt.error || 'no answer'}</Badge>
      </h2>
      <p>
        {exactTime(attempt.start_at)}, {attempt.duration_ms} ms {attempt.note}
      </p>
      <Waterfall attempt={attempt} />
      {Object.keys(attempt.reply_headers).length > 0 && (
        <Code
          label="the headers of the reply"
          text={Object.entries(attempt.reply_headers)
            .map(([name, value]) => `${name}: ${String(value)}`)
            .join('\n')}
        />
      )}
      {attempt.reply !== '' && <Code label="the reply" text={attempt.reply} />}
      {attempt.reply_is_cut && <p className="muted">The beginning of {attempt.reply_bytes} bytes is kept.</p>}
    </section>
  );
}

/** Where the time of an attempt went, from its start on. */
function Waterfall({ attempt }: { readonly attempt: Attempt }): ReactNode {
  return (
    <div className="waterfall">
      {stepsOf(attempt).map(([name, ms]) => (
        <Step key={name} name={name} ms={ms} total={Math.max(1, attempt.duration_ms)} />
      ))}
    </div>
  );
}

/** The steps that the attempt took, with their milliseconds. */
function stepsOf({ timing, first_byte_ms: firstByte, duration_ms: end }: Attempt): [string, number][] {
  const { name_ms: name, connect_ms: connect, tls_ms: tls, sent_ms: sent } = timing;
  const before = [name, connect, tls].reduce((sum, ms) => sum + Math.max(0, ms), 0);
  const steps: [string, number][] = [
    ['Name', name],
    ['Connection', connect],
    ['TLS', tls],
    ['Sending', sent < 0 ? -1 : sent - before],
    ['First byte', firstByte < 0 || sent < 0 ? -1 : firstByte - sent],
    ['Rest', firstByte < 0 ? -1 : end - firstByte],
  ];
  return steps.filter(([, ms]) => ms >= 0);
}

interface StepProps {
  readonly name: string;
  readonly ms: number;
  readonly total: number;
}

function Step({ name, ms, total }: StepProps): ReactNode {
  return (
    <>
      <span>{name}</span>
      <progress aria-label={name} max={total} value={ms} />
      <span>{ms} ms</span>
    </>
  );
}
