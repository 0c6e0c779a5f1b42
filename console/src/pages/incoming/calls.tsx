import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { Badge } from '../../parts/badge';
import { Code } from '../../parts/code';
import { type Column, DataTable } from '../../parts/data-table';
import { DetailDrawer, useDetail } from '../../parts/detail-drawer';
import { Empty } from '../../parts/empty';
import { FaultNote } from '../../parts/fault-note';
import { Loaded } from '../../parts/loaded';
import { Time } from '../../parts/time';
import { type IncomingHook, keptCall, keptCalls } from './incoming-queries';
import { describeRefusal } from './describe-refusal';
import { Replay } from './replay';

type Call = Schemas['KeptRequestDto'];

/** Stored calls, newest first, with their results. */
export function Calls({ hook }: { readonly hook: IncomingHook }): ReactNode {
  const { data, error } = useQuery(keptCalls(hook.id));
  const [callId, open] = useDetail('call');
  const columns: readonly Column<Call>[] = [
    {
      title: 'When',
      cell: (call) => (
        <UnstyledButton fz="sm" fw={500} onClick={() => open(call.id)}>
          <Time at={call.create_at} />
        </UnstyledButton>
      ),
    },
    { title: 'Response', onPhone: 'corner', cell: ({ status }) => <Status status={status} /> },
    { title: 'Reason', cell: ({ message }) => describeRefusal(message) },
    { title: 'Size', isNumber: true, cell: ({ body_size: size }) => `${size} bytes` },
  ];
  return (
    <>
      {!hook.keep_requests && (
        <p className="muted">Only refused calls are kept. Edit the webhook to keep all calls.</p>
      )}
      {error && <FaultNote error={error} />}
      {(data || !error) && (
        <DataTable
          label="Calls"
          columns={columns}
          rows={data}
          keyOf={({ id }) => id}
          onOpen={({ id }) => open(id)}
          openKey={callId}
          empty={<Empty text="No calls are kept." />}
        />
      )}
      <DetailDrawer param="call" title="Call">
        {(id) => <CallDetails hookId={hook.id} callId={id} />}
      </DetailDrawer>
    </>
  );
}

function Status({ status }: { readonly status: number }): ReactNode {
  return <Badge tone={status < 300 ? 'good' : 'bad'}>{status}</Badge>;
}

function CallDetails({ hookId, callId }: { readonly hookId: string; readonly callId: string }): ReactNode {
  const call = useQuery(keptCall(hookId, callId));
  return (
    <Loaded query={call}>
      {(found) => (
        <>
          <p>
            <Status status={found.status} /> <Time at={found.create_at} /> {describeRefusal(found.message)}
          </p>
          <h2>Headers</h2>
          <Code
            label="the headers"
            text={Object.entries(found.headers)
              .map(([name, value]) => `${name}: ${String(value)}`)
              .join('\n')}
          />
          {found.query_payload && (
            <>
              <h2>Payload in the URL</h2>
              <Code label="the payload" text={found.query_payload} />
            </>
          )}
          <h2>
            Body{found.is_cut && ', beginning only'}
            {found.body_encoding === 'base64' && ', as base64 because it is not plain text'}
          </h2>
          <Code label="the body" text={found.body} />
          <Replay hookId={hookId} call={found} />
        </>
      )}
    </Loaded>
  );
}
