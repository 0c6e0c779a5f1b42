import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { DialogButton } from '../../parts/dialog-button';
import { Form } from '../../parts/form';
import type { ListedDelivery } from './delivery-queries';
import { RetryOutcome } from './retry-outcome';
import { RetryQuestion } from './retry-question';
import { MAX_SELECTED, type Selection } from './selection';
import { isMissed } from './standing';

interface RetryManyProps {
  readonly selection: Selection;
  /** All loaded rows of the list. */
  readonly rows: readonly ListedDelivery[];
}

/**
 * Selects failed deliveries, retries the selection and shows the result. Asks for confirmation if receivers
 * may already have some of them.
 */
export function RetryMany({ selection, rows }: RetryManyProps): ReactNode {
  const client = useQueryClient();
  const [outcome, setOutcome] = useState<Schemas['RetriedDeliveriesDto'] | null>(null);
  const [isSending, setSending] = useState(false);
  const { ids, choose } = selection;
  const chosen = rows.filter(({ id }) => ids.has(id));
  const missed = rows.filter(isMissed).slice(0, MAX_SELECTED);
  const hidden = ids.size - chosen.length;
  /** Do not switch to the confirmation while a retry is running, even if the selection changes. */
  const isDoubtful = !isSending && (hidden > 0 || chosen.some(({ status }) => status === 'delivered'));
  const send = async (wanted: readonly string[]): Promise<void> => {
    setOutcome(null);
    const answer = await answerOf(
      api.POST('/api/v4/hooks/outgoing/deliveries/retry', { body: { ids: [...wanted] } }),
    );
    if ('results' in answer) setOutcome(answer);
    choose([]);
    await client.invalidateQueries({ queryKey: ['deliveries'] });
  };
  const sendAtOnce = async (): Promise<void> => {
    setSending(true);
    try {
      await send([...ids]);
    } finally {
      setSending(false);
    }
  };
  const label = `Send ${ids.size} again`;
  const none = (
    <Button variant="default" size="xs" onClick={() => choose([])}>
      Select none
    </Button>
  );
  return (
    <div role="group" aria-label="Selected deliveries">
      {ids.size === 0 && missed.length > 0 && (
        <Button variant="default" size="compact-xs" onClick={() => choose(missed.map(({ id }) => id))}>
          Select the {missed.length} that failed
        </Button>
      )}
      {ids.size > 0 && !isDoubtful && <Form action={label} onSubmit={sendAtOnce} extra={none} />}
      {ids.size > 0 && isDoubtful && (
        <div className="actions">
          <DialogButton kind="primary" label={label} title={`Send ${ids.size} deliveries again?`}>
            {() => <RetryQuestion ids={ids} chosen={chosen} onSend={send} />}
          </DialogButton>
          {none}
        </div>
      )}
      {hidden > 0 && (
        <span className="muted" role="status">
          {hidden} of them {hidden === 1 ? 'is' : 'are'} no longer in the list.
        </span>
      )}
      {outcome && <RetryOutcome outcome={outcome} />}
    </div>
  );
}
