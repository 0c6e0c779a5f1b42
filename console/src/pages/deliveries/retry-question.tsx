import { Button } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { Form } from '../../parts/form';
import type { ListedDelivery } from './delivery-queries';
import { isMissed } from './standing';

interface RetryQuestionProps {
  readonly ids: ReadonlySet<string>;
  /** The selected deliveries that the list shows. */
  readonly chosen: readonly ListedDelivery[];
  readonly onSend: (ids: readonly string[]) => Promise<void>;
}

/** Explains what a retry of the selection means, and offers to retry only the failed ones. */
export function RetryQuestion({ ids, chosen, onSend }: RetryQuestionProps): ReactNode {
  const sendsAll = useRef(false);
  const missed = chosen.filter(isMissed).map(({ id }) => id);
  const delivered = chosen.filter(({ status }) => status === 'delivered').length;
  const open = chosen.length - missed.length - delivered;
  const all = `Send all ${ids.size}`;
  const send = async (): Promise<void> => {
    try {
      await onSend(sendsAll.current ? [...ids] : missed);
    } finally {
      sendsAll.current = false;
    }
  };
  const texts = (
    <p>
      {delivered > 0 &&
        `${delivered} ${delivered === 1 ? 'was' : 'were'} delivered already: the receiver gets `}
      {delivered > 0 && `${delivered === 1 ? 'it' : 'them'} a second time. `}
      {open > 0 && `${open} ${open === 1 ? 'is' : 'are'} still being tried anyway. `}
      {ids.size > chosen.length && 'Some of those no longer in the list may have been delivered.'}
    </p>
  );
  if (missed.length === 0)
    return (
      <Form action={all} isDangerous onSubmit={() => onSend([...ids])}>
        {texts}
      </Form>
    );
  return (
    <Form
      action={`Send only the ${missed.length} that failed`}
      onSubmit={send}
      extra={
        <Button variant="default" size="xs" c="red" type="submit" onClick={() => (sendsAll.current = true)}>
          {all}
        </Button>
      }
    >
      {texts}
    </Form>
  );
}
