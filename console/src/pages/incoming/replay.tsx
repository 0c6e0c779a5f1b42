import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { Form } from '../../parts/form';

type Call = Schemas['KeptRequestDetailDto'];

interface ReplayProps {
  readonly hookId: string;
  readonly call: Call;
}

/** Replays a stored call and shows the result. */
export function Replay({ hookId, call }: ReplayProps): ReactNode {
  const client = useQueryClient();
  const [outcome, setOutcome] = useState('');
  if (call.is_cut)
    return (
      <p className="muted">
        The call was not stored completely, so it cannot be replayed. Only its sender can send it again.
      </p>
    );
  const replay = async (): Promise<void> => {
    setOutcome('');
    const done = await answerOf(
      api.POST('/api/v4/hooks/incoming/{hook_id}/requests/{request_id}/replay', {
        params: { path: { hook_id: hookId, request_id: call.id } },
      }),
    );
    setOutcome(`Sent again. ${describe(done)}`);
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
          <span role="status">{outcome}</span>
        </>
      }
    >
      <p className="muted">Replaying sends the call again, unchanged.</p>
    </Form>
  );
}

function describe({ post_ids: posts, not_understood: blocks = 0 }: Schemas['ExecutedDto']): string {
  const made = posts.length === 1 ? 'It posted one message.' : `It posted ${posts.length} messages.`;
  return blocks === 0 ? made : `${made} Blocks that are not supported: ${blocks}.`;
}

/** Payloads are edited as body text only. */
export const mayBeChanged = ({ body_encoding: encoding, query_payload: payload }: Call): boolean =>
  encoding === 'utf8' && payload === '';
