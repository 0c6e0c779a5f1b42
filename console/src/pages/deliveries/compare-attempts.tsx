import { OneOf } from '../../parts/one-of';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Field } from '../../parts/field';
import { Loaded } from '../../parts/loaded';
import type { Attempt } from './delivery-queries';
import { describeError } from './error-classes';
import { headerLines } from './texts';
import { stepsOf } from './timing';

/** Loaded on demand, because most users never open it. */
const textDiff = queryOptions({
  queryKey: ['text diff'],
  queryFn: async () => {
    try {
      return await import('./text-diff');
    } catch {
      throw new Error('This part of the page could not be loaded. Reload the page.');
    }
  },
  staleTime: Infinity,
  structuralSharing: false,
  retry: false,
});

/** Differences between two attempts: outcome, times, request headers, response headers and body. */
export function CompareAttempts({ attempts }: { readonly attempts: readonly Attempt[] }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Compare two attempts</summary>
      {isOpen && <Comparison attempts={attempts} />}
    </details>
  );
}

function Comparison({ attempts }: { readonly attempts: readonly Attempt[] }): ReactNode {
  const query = useQuery(textDiff);
  const numbers = attempts.map(({ number }) => number);
  const [chosen, setChosen] = useState<readonly [number, number] | null>(null);
  const [from, to] = chosen ?? [numbers.at(-2) ?? 0, numbers.at(-1) ?? 0];
  const one = attempts.find(({ number }) => number === from);
  const other = attempts.find(({ number }) => number === to);
  return (
    <>
      <div className="row">
        <AttemptChoice label="From" value={from} numbers={numbers} onChoose={(id) => setChosen([id, to])} />
        <AttemptChoice label="To" value={to} numbers={numbers} onChoose={(id) => setChosen([from, id])} />
      </div>
      {one && other && (
        <Loaded query={query}>
          {({ TextDiff }) => (
            <>
              <h3>Outcome and times</h3>
              <TextDiff label="the outcomes" from={outcomeOf(one)} to={outcomeOf(other)} />
              <h3>Headers of the requests</h3>
              <TextDiff
                label="the request headers"
                from={headerLines(one.request_headers)}
                to={headerLines(other.request_headers)}
              />
              <h3>Headers of the replies</h3>
              <TextDiff
                label="the headers"
                from={headerLines(one.reply_headers)}
                to={headerLines(other.reply_headers)}
              />
              <h3>Bodies of the replies</h3>
              <TextDiff label="the bodies" from={one.reply} to={other.reply} />
            </>
          )}
        </Loaded>
      )}
    </>
  );
}

interface AttemptChoiceProps {
  readonly label: string;
  readonly value: number;
  readonly numbers: readonly number[];
  readonly onChoose: (number: number) => void;
}

function AttemptChoice({ label, value, numbers, onChoose }: AttemptChoiceProps): ReactNode {
  return (
    <Field label={label}>
      <OneOf
        choices={Object.fromEntries(numbers.map((number) => [`${number}`, `Attempt ${number}`]))}
        value={`${value}`}
        onChange={(number) => onChoose(Number(number))}
      />
    </Field>
  );
}

function outcomeOf(attempt: Attempt): string {
  const { status_code: status, error, note, duration_ms: duration, reply_bytes: bytes } = attempt;
  const lines = [
    `status: ${status || 'none'}`,
    `error: ${describeError(error) || 'none'}`,
    `note: ${note || 'none'}`,
    `reply size: ${bytes < 0 ? 'unknown' : `${bytes} bytes`}`,
    ...stepsOf(attempt).map(({ name, ms }) => `${name}: ${ms} ms`),
    `total: ${duration} ms`,
  ];
  return lines.join('\n');
}
