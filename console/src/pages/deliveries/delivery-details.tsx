import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconRefresh, IconTerminal2 } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { Code } from '../../parts/code';
import { Copy } from '../../parts/copy';
import { Facts } from '../../parts/facts';
import { FaultNote } from '../../parts/fault-note';
import { Loaded } from '../../parts/loaded';
import { StatusBadge } from '../../parts/status-badge';
import { ExactTime, Time } from '../../parts/time';
import { type OutgoingHook, outgoingHook } from '../outgoing/outgoing-queries';
import { Attempts } from './attempts';
import { curlOf, tokenIn } from './curl';
import { delivery, type DeliveryDetail } from './delivery-queries';
import { describeReason } from './error-classes';
import { useSend } from './resend';
import { standingOfDelivery } from './standing';

interface DeliveryDetailsProps {
  readonly hookId: string;
  readonly deliveryId: string;
}

/** One delivery: its state and actions, why it was sent, and its attempts. */
export function DeliveryDetails({ hookId, deliveryId }: DeliveryDetailsProps): ReactNode {
  const query = useQuery(delivery(hookId, deliveryId));
  return (
    <Loaded query={query} as="page">
      {(found) => (
        <Stack gap="md">
          <Actions found={found} />
          <Reason found={found} />
          <Summary found={found} />
          <Attempts found={found} />
        </Stack>
      )}
    </Loaded>
  );
}

interface PartProps {
  readonly found: DeliveryDetail;
}

/** The state, and buttons; the command is signed when it is created. */
function Actions({ found }: PartProps): ReactNode {
  const send = useSend();
  const resend = useMutation({ mutationFn: () => send(found) });
  const curl = useMutation({
    mutationFn: async () => {
      const params = { path: { hook_id: found.hook_id, delivery_id: found.id } };
      const call = await answerOf(
        api.POST('/api/v4/hooks/outgoing/{hook_id}/deliveries/{delivery_id}/request', { params }),
      );
      return { text: curlOf(call), token: tokenIn(call.body) };
    },
  });
  const error = resend.error ?? curl.error;
  return (
    <>
      <Group gap="xs">
        <StatusBadge status={standingOfDelivery(found)} />
        <Text size="sm" c="dimmed">
          <Time at={found.create_at} isInText />
        </Text>
        <Group gap="xs" ml="auto">
          <Copy text={location.href} label="Copy the link to this delivery" caption="Copy link" />
          <Button
            variant="default"
            leftSection={<IconTerminal2 size={14} />}
            loading={curl.isPending}
            onClick={() => curl.mutate()}
          >
            Create cURL
          </Button>
          <Button
            leftSection={<IconRefresh size={14} />}
            loading={resend.isPending}
            onClick={() => resend.mutate()}
          >
            Resend
          </Button>
        </Group>
      </Group>
      {error && <FaultNote error={error} />}
      {curl.data && (
        <div>
          <Code label="the cURL command" text={curl.data.text} secret={curl.data.token} language="bash" />
          <Text size="xs" c="dimmed" mt={4}>
            Signed just now. Receivers accept it for five minutes.
          </Text>
        </div>
      )}
    </>
  );
}

/** Why it was not delivered, or why it waits. */
function Reason({ found }: PartProps): ReactNode {
  const { reason, status, paused_until: pausedUntil, blocked_by: blockedBy } = found;
  const left = found.left_out_calls > 0 ? describeLeftOut(found) : '';
  const text = [describeReason(reason), left].filter(Boolean).join(' ');
  if (text === '' && pausedUntil === 0 && blockedBy === '') return null;
  return (
    <Alert color={status === 'failed' ? 'red' : 'yellow'} p="xs">
      {text}
      {pausedUntil > 0 && (
        <>
          Calls to this endpoint are paused; the next one is <Time at={pausedUntil} isDue />.
        </>
      )}
      {blockedBy !== '' && ` It waits for the delivery ${blockedBy}, which must be delivered first.`}
    </Alert>
  );
}

/** Describes the calls left out because a message triggered too many; one delivery stands for them. */
function describeLeftOut({ left_out_calls: calls, left_out_hooks: hooks }: DeliveryDetail): string {
  const of = hooks === 1 ? 'one webhook' : `${hooks} webhooks`;
  return calls === 1 ? `One call of ${of} was left out.` : `${calls} calls of ${of} were left out.`;
}

function Summary({ found }: PartProps): ReactNode {
  const { data: hook } = useQuery(outgoingHook(found.hook_id));
  return (
    <Facts
      of={{
        Webhook: (
          <Anchor component={Link} inherit to={`/outgoing/${found.hook_id}`}>
            {hook?.display_name || 'Unnamed'}
          </Anchor>
        ),
        URL: <code>{found.callback_url}</code>,
        Created: <ExactTime at={found.create_at} />,
        'Triggered by': typeof found.payload['trigger_word'] === 'string' && (
          <Trigger word={found.payload['trigger_word']} hook={hook} />
        ),
        Message: found.post_id !== '' && (
          <Group gap="sm">
            <Link to="/channels" search={{ thread: found.post_id }}>
              Show the message
            </Link>
            {found.reply_post_id !== '' && (
              <Link to="/channels" search={{ thread: found.reply_post_id }}>
                Show the reply
              </Link>
            )}
          </Group>
        ),
        ID: (
          <Group gap={4}>
            <code>{found.id}</code>
            <Copy text={found.id} label="Copy the ID" />
          </Group>
        ),
      }}
    />
  );
}

const RULES = {
  0: ', which may appear anywhere in the message',
  1: ', which must be at its beginning',
  2: ' as its first word',
} as const;

interface TriggerProps {
  readonly word: string;
  readonly hook: OutgoingHook | undefined;
}

/** Why the message triggered the webhook: the stored word, and the webhook's current rule. */
function Trigger({ word, hook }: TriggerProps): ReactNode {
  if (word === '')
    return (
      <>
        Every message in its channel.
        {hook && hook.trigger_words.length > 0 && ' Trigger words were added since then.'}
      </>
    );
  return (
    <>
      The word <code>{word}</code>
      {hook && RULES[hook.trigger_when]}.
      {hook && !hook.trigger_words.includes(word) && ' The webhook no longer has this word.'}
    </>
  );
}
