import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FaultNote } from '../../parts/fault-note';
import { Form } from '../../parts/form';
import { fromLocal } from '../../parts/local-time';
import { Modal } from '../../parts/modal';
import { type OutgoingHook, recoveries } from './outgoing-queries';
import { describeMissed, RecoveryProgress } from './recovery-progress';
import { recover, type Recovery, stopRecovery } from './recovery-requests';
import { aDayAgo, SinceField } from './since-field';

/** Resends what a webhook missed since a given time, with a count and progress. */
export function Recover({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { data: known = [], error } = useQuery(recoveries(hook.id));
  const [latest] = known;
  const isRunning = latest?.status === 'running';
  return (
    <div className="row">
      {error && <FaultNote error={error} />}
      {latest && <Progress recovery={latest} />}
      {!isRunning && (
        <Button variant="default" size="xs" onClick={() => setOpen(true)}>
          Send missed deliveries again…
        </Button>
      )}
      <Modal title="Send missed deliveries again" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Order hookId={hook.id} onOrdered={() => setOpen(false)} />
      </Modal>
    </div>
  );
}

interface OrderProps {
  readonly hookId: string;
  readonly onOrdered: () => void;
}

/** Asks for a start time, shows the exact count, and resends after confirmation. */
function Order({ hookId, onOrdered }: OrderProps): ReactNode {
  const client = useQueryClient();
  const [since, setSince] = useState(aDayAgo);
  const [counted, setCounted] = useState<(Recovery & { readonly asked: string }) | null>(null);
  const found = counted?.asked === since ? counted : null;
  const ask = (isDryRun: boolean): Promise<Recovery> => recover(hookId, fromLocal(since) ?? 0, isDryRun);
  const count = async (): Promise<void> => {
    setCounted({ ...(await ask(true)), asked: since });
  };
  const order = async (): Promise<void> => {
    await ask(false);
    await client.invalidateQueries({ queryKey: recoveries(hookId).queryKey });
    onOrdered();
  };
  return (
    <>
      <Form action="Count" onSubmit={count}>
        <SinceField value={since} onChange={setSince} />
      </Form>
      {found?.total === 0 && <p role="status">Nothing has been missed since then.</p>}
      {found && found.total > 0 && (
        <Form action={`Send ${found.total} again`} onSubmit={order}>
          <p role="status">{describeMissed(found)} New deliveries go first.</p>
        </Form>
      )}
    </>
  );
}

function Progress({ recovery }: { readonly recovery: Recovery }): ReactNode {
  const client = useQueryClient();
  const { hook_id: hookId } = recovery;
  const stop = async (): Promise<void> => {
    await stopRecovery(recovery);
    await client.invalidateQueries({ queryKey: recoveries(hookId).queryKey });
  };
  return <RecoveryProgress {...recovery} onStop={stop} />;
}
