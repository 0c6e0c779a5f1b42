import { Button, Group, Text } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { Badge } from '../../parts/badge';
import { Code } from '../../parts/code';
import { type Column, DataTable } from '../../parts/data-table';
import { DetailDrawer, useDetail } from '../../parts/detail-drawer';
import { Empty } from '../../parts/empty';
import { Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { Time } from '../../parts/time';
import { showFault, showUndo } from '../../parts/undo';
import { describeRefusal } from './describe-refusal';
import { type HookProps, isRefusal, keptCall, keptCalls, patchHook } from './incoming-queries';

type Call = Schemas['KeptRequestDto'];
type CallDetail = Schemas['KeptRequestDetailDto'];

const COLUMNS: readonly Column<Call>[] = [
  { title: 'Response', width: 110, cell: ({ status }) => <CallStatus status={status} /> },
  {
    title: 'Result',
    cell: (call) =>
      isRefusal(call) ? describeRefusal(call.message) : <span className="muted">Posted to the channel</span>,
  },
  { title: 'Size', isNumber: true, width: 110, cell: ({ body_size: size }) => `${size} bytes` },
  {
    title: 'Received',
    isNumber: true,
    width: 110,
    onPhone: 'corner',
    cell: ({ create_at: at }) => <Time at={at} />,
  },
];

/** Kept calls, newest first, with their results; on the overview only the latest. */
export function Calls({ hook, count }: HookProps & { readonly count?: number }): ReactNode {
  const calls = useQuery(keptCalls(hook.id));
  const [openKey, open] = useDetail('call');
  const keep = async (isKept: boolean): Promise<void> => {
    await patchHook(hook.id, { keep_requests: isKept });
    if (isKept) showUndo('All calls are kept from now on.', () => keep(false));
  };
  return (
    <>
      {!hook.keep_requests && (
        <Group mb="xs" fz="sm" c="dimmed">
          Only refused calls are kept.
          <Button variant="default" size="compact-xs" onClick={() => void keep(true).catch(showFault)}>
            Keep all calls
          </Button>
        </Group>
      )}
      <Loaded query={calls}>
        {(found) => (
          <DataTable
            label="Calls"
            columns={COLUMNS}
            rows={found.slice(0, count)}
            keyOf={({ id }) => id}
            onOpen={({ id }) => open(id)}
            openKey={openKey}
            empty={
              <Empty icon={IconWebhook} text="No calls are kept. Those of the last seven days appear here." />
            }
          />
        )}
      </Loaded>
      <DetailDrawer param="call" title="Call">
        {(callId) => <CallDetails hookId={hook.id} callId={callId} />}
      </DetailDrawer>
    </>
  );
}

const CallStatus = ({ status }: { readonly status: number }): ReactNode => (
  <Badge tone={status < 300 ? 'good' : 'bad'}>{status}</Badge>
);

/** A call as received, which can be replayed. */
function CallDetails({ hookId, callId }: { readonly hookId: string; readonly callId: string }): ReactNode {
  const call = useQuery(keptCall(hookId, callId));
  return (
    <Loaded query={call}>
      {(found) => (
        <>
          <Group gap="xs" mb="sm">
            <CallStatus status={found.status} />
            <Time at={found.create_at} isInText /> {describeRefusal(found.message)}
          </Group>
          <Replay hookId={hookId} call={found} />
          <h2>
            Body{found.is_cut && ', beginning only'}
            {found.body_encoding === 'base64' && ', as base64 because it is not plain text'}
          </h2>
          <Code label="the body" text={found.body} />
          {found.query_payload && (
            <>
              <h2>Payload in the URL</h2>
              <Code label="the payload" text={found.query_payload} />
            </>
          )}
          <h2>Headers</h2>
          <Code
            label="the headers"
            text={Object.entries(found.headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          />
        </>
      )}
    </Loaded>
  );
}

/** Replays a kept call and shows the result. */
function Replay({ hookId, call }: { readonly hookId: string; readonly call: CallDetail }): ReactNode {
  const client = useQueryClient();
  const [outcome, setOutcome] = useState('');
  if (call.is_cut)
    return (
      <Text size="sm" c="dimmed">
        The call was not stored completely, so it cannot be replayed. Only its sender can send it again.
      </Text>
    );
  const replay = async (): Promise<void> => {
    setOutcome('');
    const done = await answerOf(
      api.POST('/api/v4/hooks/incoming/{hook_id}/requests/{request_id}/replay', {
        params: { path: { hook_id: hookId, request_id: call.id } },
      }),
    );
    setOutcome(describe(done));
    await client.invalidateQueries({ queryKey: ['incoming', hookId] });
  };
  return (
    <Form
      action="Replay"
      onSubmit={replay}
      extra={
        <>
          {mayBeChanged(call) && (
            <Link to="/incoming/$hookId" params={{ hookId }} search={{ tab: 'test', call: call.id }}>
              Edit and send
            </Link>
          )}
          <Text size="sm" role="status">
            {outcome}
          </Text>
        </>
      }
    />
  );
}

function describe({ post_ids: posts, not_understood: blocks = 0 }: Schemas['ExecutedDto']): string {
  const made = `Replayed. ${posts.length === 1 ? 'One message was' : `${posts.length} messages were`} posted.`;
  return blocks === 0 ? made : `${made} Blocks that are not supported: ${blocks}.`;
}

/** Payloads are edited as body text only. */
export const mayBeChanged = ({ body_encoding: encoding, query_payload: payload }: CallDetail): boolean =>
  encoding === 'utf8' && payload === '';
