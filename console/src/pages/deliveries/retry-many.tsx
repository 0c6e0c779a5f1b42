import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { Form } from '../../parts/form';
import { MAX_SELECTED, type Selection } from './selection';

type Outcome = Schemas['RetriedDeliveriesDto'];

interface RetryManyProps {
  readonly selection: Selection;
  /** All that the list has read. */
  readonly shownIds: readonly string[];
}

/** Chooses all that is shown, sends again what is chosen, and says what became of it. */
export function RetryMany({ selection, shownIds }: RetryManyProps): ReactNode {
  const client = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { ids, choose } = selection;
  const most = Math.min(shownIds.length, MAX_SELECTED);
  const shown = new Set(shownIds);
  const hidden = [...ids].filter((id) => !shown.has(id)).length;
  const areAll = most > 0 && shownIds.slice(0, most).every((id) => ids.has(id));
  const send = async (): Promise<void> => {
    setOutcome(null);
    setOutcome(
      await answerOf(api.POST('/api/v4/hooks/outgoing/deliveries/retry', { body: { ids: [...ids] } })),
    );
    choose([]);
    await client.invalidateQueries({ queryKey: ['deliveries'] });
  };
  return (
    <div role="group" aria-label="Selected deliveries">
      <div className="row">
        <label className="choice">
          <input type="checkbox" checked={areAll} onChange={() => choose(areAll ? [] : shownIds)} />
          Select all shown{shownIds.length > MAX_SELECTED && `, ${MAX_SELECTED} at most`}
        </label>
        {ids.size > 0 && (
          <Form
            action={`Send ${ids.size} again`}
            onSubmit={send}
            extra={
              <button type="button" onClick={() => choose([])}>
                Select none
              </button>
            }
          />
        )}
        {hidden > 0 && (
          <span className="muted" role="status">
            {hidden} of them {hidden === 1 ? 'is' : 'are'} not in the list any more.
          </span>
        )}
      </div>
      {outcome && <OutcomeNote outcome={outcome} />}
    </div>
  );
}

function OutcomeNote({ outcome }: { readonly outcome: Outcome }): ReactNode {
  const { retried_count: retried, refused_count: refused } = outcome;
  return (
    <div role="status">
      <p>
        {retried} {retried === 1 ? 'delivery is' : 'deliveries are'} sent again.
        {refused > 0 && ` ${refused} ${refused === 1 ? 'is' : 'are'} not:`}
      </p>
      {refused > 0 && (
        <ul>
          {reasonsOf(outcome).map(([message, count]) => (
            <li key={message}>
              {count} × {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** How often each reason was given. */
function reasonsOf({ results }: Outcome): [string, number][] {
  const counts = new Map<string, number>();
  for (const { error } of results) if (error) counts.set(error.message, (counts.get(error.message) ?? 0) + 1);
  return [...counts];
}
