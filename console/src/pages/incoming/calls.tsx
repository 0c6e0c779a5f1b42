import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { incomingHookRoute } from '../../app/router';
import { Badge } from '../../parts/badge';
import { Code } from '../../parts/code';
import { Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { Time } from '../../parts/time';
import { type IncomingHook, keptCall, keptCalls } from './incoming-queries';

/** What came in and was kept, newest first, with what became of it. */
export function Calls({ hook }: { readonly hook: IncomingHook }): ReactNode {
  const calls = useQuery(keptCalls(hook.id));
  const { call: callId } = incomingHookRoute.useSearch();
  const navigate = useNavigate();
  const open = (call: string | undefined): void =>
    void navigate({ to: '.', search: call === undefined ? { tab: 'calls' } : { tab: 'calls', call } });
  return (
    <>
      {!hook.keep_requests && (
        <p className="muted">Only refused calls are kept. Edit the webhook to keep all that comes in.</p>
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
  if (calls.length === 0) return <p className="empty">No call is kept.</p>;
  return (
    <div className="table">
      <table>
        <thead>
          <tr>
            <th>When</th>
            <th>Answer</th>
            <th>Why</th>
            <th>Size</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr key={call.id}>
              <td>
                <button className="small" onClick={() => onOpen(call.id)}>
                  <Time at={call.create_at} />
                </button>
              </td>
              <td>
                <Badge tone={call.status < 300 ? 'good' : 'bad'}>{call.status}</Badge>
              </td>
              <td>{call.message}</td>
              <td>{call.body_size} bytes</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CallDetails({ hookId, callId }: { readonly hookId: string; readonly callId: string }): ReactNode {
  const client = useQueryClient();
  const call = useQuery(keptCall(hookId, callId));
  const replay = async (): Promise<void> => {
    await answerOf(
      api.POST('/api/v4/hooks/incoming/{hook_id}/requests/{request_id}/replay', {
        params: { path: { hook_id: hookId, request_id: callId } },
      }),
    );
    await client.invalidateQueries({ queryKey: ['incoming', hookId] });
  };
  return (
    <Loaded query={call}>
      {(found) => (
        <>
          <p>
            <Badge tone={found.status < 300 ? 'good' : 'bad'}>{found.status}</Badge>{' '}
            <Time at={found.create_at} /> {found.message}
          </p>
          <h2>Headers</h2>
          <Code
            label="the headers"
            text={Object.entries(found.headers)
              .map(([name, value]) => `${name}: ${String(value)}`)
              .join('\n')}
          />
          <h2>Body{found.is_cut ? ', its beginning' : ''}</h2>
          <Code label="the body" text={found.body} />
          <Form action="Replay" onSubmit={replay}>
            <p className="muted">Replaying sends the call again, as it came in.</p>
          </Form>
        </>
      )}
    </Loaded>
  );
}
