import { Group, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Field } from '../../parts/field';
import { Loaded } from '../../parts/loaded';
import { OneOf } from '../../parts/one-of';
import type { Attempt } from './delivery-queries';
import { describeError } from './error-classes';
import { headerLines, stepsOf } from './texts';

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
  const query = useQuery(textDiff);
  const numbers = attempts.map(({ number }) => number);
  const [chosen, setChosen] = useState<readonly [number, number] | null>(null);
  const [from, to] = chosen ?? [numbers.at(-2) ?? 0, numbers.at(-1) ?? 0];
  const one = attempts.find(({ number }) => number === from);
  const other = attempts.find(({ number }) => number === to);
  return (
    <>
      <Group gap="sm">
        <AttemptChoice label="From" value={from} numbers={numbers} onChoose={(id) => setChosen([id, to])} />
        <AttemptChoice label="To" value={to} numbers={numbers} onChoose={(id) => setChosen([from, id])} />
      </Group>
      {one && other && (
        <Loaded query={query}>
          {({ TextDiff }) =>
            Object.entries(ASPECTS).map(([title, textOf]) => (
              <section key={title}>
                <Title order={3} mb={4}>
                  {title}
                </Title>
                <TextDiff label={title} from={textOf(one)} to={textOf(other)} />
              </section>
            ))
          }
        </Loaded>
      )}
    </>
  );
}

const ASPECTS: Readonly<Record<string, (attempt: Attempt) => string>> = {
  'Outcome and times': outcomeOf,
  'Request headers': ({ request_headers: headers }) => headerLines(headers),
  'Response headers': ({ reply_headers: headers }) => headerLines(headers),
  'Response body': ({ reply }) => reply,
};

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
