import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { incomingHookRoute } from '../../app/router';
import { Badge } from '../../parts/badge';
import { Code } from '../../parts/code';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { type IncomingHook, keptCall, keptCalls } from './incoming-queries';
import { describeRefusal } from './describe-refusal';
import { Replay } from './replay';

/** Stored calls, newest first, with their results. */
export function Calls({ hook }: { readonly hook: IncomingHook }): ReactNode {
  const calls = useQuery(keptCalls(hook.id));
  const { call: callId } = incomingHookRoute.useSearch();
  const navigate = useNavigate();
  const open = (call: string | undefined): void =>
    void navigate({ to: '.', search: call === undefined ? { tab: 'calls' } : { tab: 'calls', call } });
  return (
    <>
      {!hook.keep_requests && (
        <p className="muted">Only refused calls are kept. Edit the webhook to keep all calls.</p>
      )}
      <Loaded query={calls}>{(found) => <CallTable calls={found} onOpen={open} />}</Loaded>
      <Modal title="Call" isLight isOpen={callId !== undefined} onClose={() => open(undefined)} isWide>
        {callId !== undefined && <CallDetails hookId={hook.id} callId={callId} />}
      </Modal>
    </>
  );
}

interface CallTableProps {
  readonly calls: readonly Schemas['KeptRequestDto'][];
  readonly onOpen: (callId: string) => void;
}

function CallTable({ calls, onOpen }: CallTableProps): ReactNode {
  if (calls.length === 0) return <p className="empty">No calls are kept.</p>;
  return (
    <Table heads={['When', 'Answer', 'Why', 'Size']}>
      {calls.map((call) => (
        <tr key={call.id} className="opens">
          <td>
            <button className="small" onClick={() => onOpen(call.id)}>
              <Time at={call.create_at} />
            </button>
          </td>
          <td>
            <Badge tone={call.status < 300 ? 'good' : 'bad'}>{call.status}</Badge>
          </td>
          <td>{describeRefusal(call.message)}</td>
          <td className="nowrap">{call.body_size} bytes</td>
        </tr>
      ))}
    </Table>
  );
}

function CallDetails({ hookId, callId }: { readonly hookId: string; readonly callId: string }): ReactNode {
  const call = useQuery(keptCall(hookId, callId));
  return (
    <Loaded query={call}>
      {(found) => (
        <>
          <p>
            <Badge tone={found.status < 300 ? 'good' : 'bad'}>{found.status}</Badge>{' '}
            <Time at={found.create_at} isInText /> {describeRefusal(found.message)}
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
