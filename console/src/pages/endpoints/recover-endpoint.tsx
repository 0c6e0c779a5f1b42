import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useDraft } from '../../parts/drafts';
import { FaultNote } from '../../parts/fault-note';
import { Modal } from '../../parts/modal';
import { type Recovery, stopRecovery } from '../outgoing/recovery-requests';
import { RecoveryProgress } from '../outgoing/recovery-progress';
import { StartRecoveries } from './start-recoveries';
import { recoveriesOf, sumOf } from './recoveries-of';

/** Resends what all webhooks of an endpoint missed since a given time, with a count and progress. */
export function RecoverEndpoint({ endpoint }: { readonly endpoint: string }): ReactNode {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [kept, keep] = useDraft(`recoveries ${endpoint}`); // can still be stopped after a reload
  const ordered = kept === '' ? [] : (JSON.parse(kept) as Recovery[]);
  const query = recoveriesOf(endpoint, ordered);
  const { data: all = ordered, error } = useQuery(query);
  const sum = sumOf(all);
  const stop = async (): Promise<void> => {
    try {
      for (const recovery of all) if (recovery.status === 'running') await stopRecovery(recovery);
    } finally {
      await client.invalidateQueries({ queryKey: query.queryKey });
    }
  };
  return (
    <div className="row">
      {error && <FaultNote error={error} />}
      {sum && <RecoveryProgress {...sum} onStop={stop} />}
      {sum?.status !== 'running' && (
        <Button variant="default" size="xs" onClick={() => setOpen(true)}>
          Send missed deliveries again…
        </Button>
      )}
      <Modal title="Send missed deliveries again" isOpen={isOpen} onClose={() => setOpen(false)}>
        <StartRecoveries
          endpoint={endpoint}
          onStarted={(orders) => keep(JSON.stringify(orders))}
          onDone={() => setOpen(false)}
        />
      </Modal>
    </div>
  );
}
