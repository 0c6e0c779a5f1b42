import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { fromLocal, toLocal } from '../../parts/local-time';
import { Modal } from '../../parts/modal';
import { Time } from '../../parts/time';
import { type OutgoingHook, recoveries } from './outgoing-queries';

type Recovery = Schemas['RecoveryDto'];

const DAY_MS = 86_400_000;

/** Sends again what a webhook missed since a time: how much there is, and then how far it has come. */
export function Recover({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { data: known = [] } = useQuery(recoveries(hook.id));
  const [latest] = known;
  const isRunning = latest?.status === 'running';
  return (
    <div className="row">
      {latest && <Progress recovery={latest} />}
      {!isRunning && <button onClick={() => setOpen(true)}>Send again what was missed…</button>}
      <Modal title="Send again what was missed" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Order hookId={hook.id} onOrdered={() => setOpen(false)} />
      </Modal>
    </div>
  );
}

interface OrderProps {
  readonly hookId: string;
  readonly onOrdered: () => void;
}

/** Asks for a time, tells the exact number, and sends when that is confirmed. */
function Order({ hookId, onOrdered }: OrderProps): ReactNode {
  const client = useQueryClient();
  const [since, setSince] = useState(() => toLocal(Date.now() - DAY_MS));
  const [counted, setCounted] = useState<{ readonly since: string; readonly total: number } | null>(null);
  const total = counted?.since === since ? counted.total : null;
  const ask = (isDryRun: boolean): Promise<Recovery> =>
    answerOf(
      api.POST('/api/v4/hooks/outgoing/{hook_id}/recover', {
        params: { path: { hook_id: hookId } },
        body: { since: fromLocal(since) ?? 0, dry_run: isDryRun },
      }),
    );
  const count = async (): Promise<void> => {
    const found = await ask(true);
    setCounted({ since, total: found.total });
  };
  const order = async (): Promise<void> => {
    await ask(false);
    await client.invalidateQueries({ queryKey: recoveries(hookId).queryKey });
    onOrdered();
  };
  return (
    <>
      <Form action="Count" onSubmit={count}>
        <Field label="Missed since">
          <input
            type="datetime-local"
            step={1}
            required
            value={since}
            onChange={({ target }) => setSince(target.value)}
          />
        </Field>
      </Form>
      {total === 0 && <p role="status">Nothing was missed since then.</p>}
      {total !== null && total > 0 && (
        <Form action={`Send ${total} again`} onSubmit={order}>
          <p role="status">
            {total} {total === 1 ? 'delivery has' : 'deliveries have'} failed or{' '}
            {total === 1 ? 'was' : 'were'} cancelled since then. New ones go first.
          </p>
        </Form>
      )}
    </>
  );
}

function Progress({ recovery }: { readonly recovery: Recovery }): ReactNode {
  const client = useQueryClient();
  const { hook_id: hookId, id, total, requeued, status } = recovery;
  const stop = async (): Promise<void> => {
    await answerOf(
      api.POST('/api/v4/hooks/outgoing/{hook_id}/recover/{recovery_id}/stop', {
        params: { path: { hook_id: hookId, recovery_id: id } },
      }),
    );
    await client.invalidateQueries({ queryKey: recoveries(hookId).queryKey });
  };
  if (status !== 'running')
    return (
      <p className="muted" role="status">
        The last recovery {status === 'stopped' ? 'was stopped' : 'is finished'}: {requeued} of {total} were
        sent again, <Time at={recovery.finish_at} />.
      </p>
    );
  return (
    <Form action="Stop" onSubmit={stop}>
      <p>
        <progress aria-label="Recovery" max={total} value={requeued} /> {requeued} of {total} are sent again.
      </p>
    </Form>
  );
}
