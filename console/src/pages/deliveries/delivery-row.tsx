import { Checkbox, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { withToggled } from '../../parts/data-table';
import { StatusBadge } from '../../parts/status-badge';
import { exactTime, Time } from '../../parts/time';
import classes from './deliveries.module.css';
import type { ListedDelivery } from './delivery-queries';
import { describeError, isSuccess } from './error-classes';
import type { Selection } from './resend';
import { standingOfDelivery } from './standing';

interface CheckProps {
  readonly delivery: ListedDelivery;
  readonly selection: Selection;
}

/** Selects a delivery. */
export function Check({ delivery, selection }: CheckProps): ReactNode {
  const { id, create_at: at } = delivery;
  return (
    <label className={classes['check']}>
      <Checkbox
        size="xs"
        aria-label={`Select the ${standingOfDelivery(delivery).text.toLowerCase()} delivery of ${exactTime(at)}`}
        checked={selection.ids.has(id)}
        onChange={() => selection.choose(withToggled(selection.ids, id))}
      />
    </label>
  );
}

interface DeliveryRowProps {
  readonly delivery: ListedDelivery;
  readonly onOpen: (delivery: ListedDelivery) => void;
  readonly isOfWebhook: boolean;
}

/** A row of the list, which opens the details. */
export function DeliveryRow({ delivery, onOpen, isOfWebhook }: DeliveryRowProps): ReactNode {
  const { callback_url: url, last_status_code: status, last_error: error } = delivery;
  const isOpenEnded = status === 0 && error === '';
  const isGood = isSuccess({ status_code: status, error });
  return (
    <UnstyledButton
      className={`${classes['row']} ${isOfWebhook ? classes['ofWebhook'] : ''}`}
      fz="sm"
      data-id={delivery.id}
      onClick={() => onOpen(delivery)}
    >
      <StatusBadge status={standingOfDelivery(delivery)} />
      {!isOfWebhook && (
        <Text span inherit fw={500} className={classes['name']}>
          {delivery.hook_display_name || 'Unnamed'}
        </Text>
      )}
      <Text
        span
        inherit
        c="dimmed"
        title={url}
        className={isOfWebhook ? classes['name'] : classes['desktop']}
      >
        {url.replace(/^https?:\/\//, '')}
      </Text>
      <Text
        span
        inherit
        c={isOpenEnded ? 'dimmed' : isGood ? undefined : 'red'}
        title={describeError(error)}
        className={classes['response']}
        data-failed={(!isGood && !isOpenEnded) || undefined}
      >
        {status > 0 ? status : describeError(error) || '–'}
      </Text>
      <Attempts delivery={delivery} />
      <Text span inherit c="dimmed" ta="right" className={classes['time']}>
        <Time at={delivery.create_at} />
      </Text>
    </UnstyledButton>
  );
}

/** Number of attempts, and when the next one is due after a failure or while the endpoint is paused. */
function Attempts({ delivery }: { readonly delivery: ListedDelivery }): ReactNode {
  const { attempts, status, next_attempt_at: next, paused_until: pausedUntil } = delivery;
  return (
    <Text span inherit className={classes['desktop']}>
      {attempts}
      {status === 'pending' && (attempts > 0 || pausedUntil > 0) && (
        <Text
          span
          inherit
          c="dimmed"
          title={pausedUntil > 0 ? 'Its endpoint cannot be reached and is not called until then.' : undefined}
        >
          {' '}
          · {pausedUntil > 0 ? 'paused,' : 'next'} <Time at={next} isDue />
        </Text>
      )}
    </Text>
  );
}
