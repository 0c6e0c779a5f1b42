import { Button, List } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { BulkBar } from '../../parts/bulk-bar';
import { useConfirm } from '../../parts/confirm';
import { Form } from '../../parts/form';
import { Modal } from '../../parts/modal';
import { showDone, showFault } from '../../parts/undo';
import type { Delivery, ListedDelivery } from './delivery-queries';
import { isMissed } from './standing';

/** Maximum number of deliveries the server resends at once. */
export const MAX_SELECTED = 200;

/** The deliveries selected in a list. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Selects these instead, up to the number that can be resent at once. */
  readonly choose: (ids: Iterable<string>) => void;
}

/** Starts with an empty selection. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return { ids, choose: (all) => setIds(new Set([...all].slice(0, MAX_SELECTED))) };
}

type Resent = Pick<Delivery, 'id' | 'hook_id' | 'status'>;

/** Returns a function that resends one delivery. */
export function useSend(): (delivery: Pick<Resent, 'id' | 'hook_id'>) => Promise<void> {
  const client = useQueryClient();
  return async ({ id, hook_id: hookId }) => {
    await answerOf(
      api.POST('/api/v4/hooks/outgoing/{hook_id}/deliveries/{delivery_id}/retry', {
        params: { path: { hook_id: hookId, delivery_id: id } },
      }),
    );
    showDone('The delivery is being resent.');
    await client.invalidateQueries({ queryKey: ['deliveries'] });
  };
}

/** Resends by a key press: asks first if the receiver has the delivery already. */
export function useResend(): [dialog: ReactNode, resend: (delivery: Resent) => void] {
  const send = useSend();
  const [dialog, ask] = useConfirm();
  const resend = (delivery: Resent): void => {
    if (delivery.status !== 'delivered') return void send(delivery).catch(showFault);
    ask({
      title: 'Resend this delivery?',
      action: 'Resend',
      body: <p>It was delivered already: the receiver gets it a second time.</p>,
      onConfirm: () => send(delivery),
    });
  };
  return [dialog, resend];
}

interface ResendManyProps {
  readonly selection: Selection;
  /** All loaded rows of the list. */
  readonly rows: readonly ListedDelivery[];
  /** More actions. */
  readonly children: ReactNode;
}

/** Resends the selection. Asks for confirmation if receivers may already have some of it. */
export function ResendMany({ selection: { ids, choose }, rows, children }: ResendManyProps): ReactNode {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const chosen = rows.filter(({ id }) => ids.has(id));
  const hidden = ids.size - chosen.length;
  const send = async (wanted: readonly string[]): Promise<void> => {
    const answer = await answerOf(
      api.POST('/api/v4/hooks/outgoing/deliveries/retry', { body: { ids: [...wanted] } }),
    );
    if ('results' in answer) showOutcome(answer);
    setAsking(false);
    choose([]);
    await client.invalidateQueries({ queryKey: ['deliveries'] });
  };
  const sendAtOnce = useMutation({ mutationFn: () => send([...ids]), onError: showFault });
  const isDoubtful = hidden > 0 || chosen.some(({ status }) => status === 'delivered');
  return (
    <>
      <BulkBar count={ids.size} onClear={() => choose([])}>
        <Button
          leftSection={<IconRefresh size={14} />}
          loading={sendAtOnce.isPending}
          onClick={() => (isDoubtful ? setAsking(true) : sendAtOnce.mutate())}
        >
          Resend {ids.size}
        </Button>
        {children}
      </BulkBar>
      <Modal title={`Resend ${ids.size} deliveries?`} isOpen={isAsking} onClose={() => setAsking(false)}>
        {isAsking && <Question ids={ids} chosen={chosen} onSend={send} />}
      </Modal>
    </>
  );
}

interface QuestionProps {
  readonly ids: ReadonlySet<string>;
  /** The selected deliveries that the list shows. */
  readonly chosen: readonly ListedDelivery[];
  readonly onSend: (ids: readonly string[]) => Promise<void>;
}

/** Explains what resending the selection means, and offers to resend only the failed ones. */
function Question({ ids, chosen, onSend }: QuestionProps): ReactNode {
  const sendsAll = useRef(false);
  const missed = chosen.filter(isMissed).map(({ id }) => id);
  const delivered = chosen.filter(({ status }) => status === 'delivered').length;
  const open = chosen.length - missed.length - delivered;
  const hidden = ids.size - chosen.length;
  const all = `Resend all ${ids.size}`;
  const send = async (): Promise<void> => {
    const wanted = sendsAll.current || missed.length === 0 ? [...ids] : missed;
    sendsAll.current = false;
    await onSend(wanted);
  };
  return (
    <Form
      action={missed.length === 0 ? all : `Resend only the ${missed.length} that failed`}
      isDangerous={missed.length === 0}
      onSubmit={send}
      extra={
        missed.length > 0 && (
          <Button variant="default" c="red" type="submit" onClick={() => (sendsAll.current = true)}>
            {all}
          </Button>
        )
      }
    >
      <p>
        {delivered > 0 &&
          `${delivered} ${delivered === 1 ? 'was' : 'were'} delivered already: the receiver gets ${delivered === 1 ? 'it' : 'them'} a second time. `}
        {open > 0 && `${open} ${open === 1 ? 'is' : 'are'} still being tried anyway. `}
        {hidden > 0 &&
          `${hidden} ${hidden === 1 ? 'is' : 'are'} no longer in the list and may have been delivered.`}
      </p>
    </Form>
  );
}

/** Says how many are resent, and counts each reason why others are not. */
function showOutcome({
  retried_count: retried,
  refused_count: refused,
  results,
}: Schemas['RetriedDeliveriesDto']): void {
  const resent = `${retried} ${retried === 1 ? 'delivery is' : 'deliveries are'} being resent.`;
  if (refused === 0) return showDone(resent);
  const counts = new Map<string, number>();
  for (const { error } of results) if (error) counts.set(error.message, (counts.get(error.message) ?? 0) + 1);
  notifications.show({
    color: 'red',
    autoClose: false,
    title: `${resent} ${refused} ${refused === 1 ? 'is' : 'are'} not:`,
    message: (
      <List size="sm">
        {[...counts].map(([message, count]) => (
          <List.Item key={message}>
            {count} × {message}
          </List.Item>
        ))}
      </List>
    ),
  });
}
