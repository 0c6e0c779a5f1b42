import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import { Diff } from '../../parts/diff';
import { Facts } from '../../parts/facts';
import { ExactTime } from '../../parts/time';
import { Description, type useTargetNames } from './audit-targets';
import type { AuditRow } from './system-queries';

/** Largest valid Date value. */
const LAST_DATE = 8_640_000_000_000_000;
/** Prefix of recorded values before the change. */
const PRIOR = 'prior.';

/** The user. Actions of the server itself have no user and no IP address. */
export function whoOf(row: AuditRow, nameOf: (id: string) => string): string {
  if (row.user_id !== '') return nameOf(row.user_id);
  return row.ip_address === '' ? 'Hookline' : 'Somebody who is not signed in';
}

interface EntryProps {
  readonly row: AuditRow;
  readonly who: string;
  readonly find: ReturnType<typeof useTargetNames>;
}

/** Who did what to which record. */
export const Sentence = ({ row, who, find }: EntryProps): ReactNode => (
  <Text component="div" size="sm">
    <b>{who}</b> {row.result === 'fail' && 'was refused: '}
    <Description row={row} find={find} />
  </Text>
);

/** What is recorded about an action: who, when, and the values before and after. */
export function EntryDetails({ row, who, find }: EntryProps): ReactNode {
  const { before, after, others } = valuesOf(row);
  return (
    <Stack gap="sm" fz="sm">
      <Sentence row={row} who={who} find={find} />
      <Facts
        of={{
          When: <ExactTime at={row.create_at} />,
          Who: who,
          Result:
            row.result === 'fail' ? (
              <Badge tone="bad">refused, {row.status_code}</Badge>
            ) : (
              `done, ${row.status_code}`
            ),
          Times: row.count > 1 && row.count,
          Action: <code>{row.action}</code>,
          Target: row.target && <code>{row.target}</code>,
          Error: row.error_id && <code>{row.error_id}</code>,
          Request: row.request_id && <code>{row.request_id}</code>,
          From: row.ip_address,
          ...others,
        }}
      />
      {Object.keys(before).length > 0 && (
        <>
          <Title order={3}>Changes</Title>
          <Diff before={before} after={after} />
        </>
      )}
    </Stack>
  );
}

type Values = Record<string, unknown>;

/** Recorded values: those that were compared with the ones before, and the others. */
function valuesOf({ parameters }: AuditRow): {
  readonly before: Values;
  readonly after: Values;
  readonly others: Record<string, ReactNode>;
} {
  const entries = Object.entries(parameters);
  const prior = entries.filter(([name]) => name.startsWith(PRIOR));
  const before = Object.fromEntries(prior.map(([name, value]) => [name.slice(PRIOR.length), value]));
  const rest = entries.filter(([name]) => !name.startsWith(PRIOR));
  return {
    before,
    after: Object.fromEntries(rest.filter(([name]) => name in before)),
    others: Object.fromEntries(
      rest.flatMap(([name, value]) => (name in before ? [] : [[name, shown(name, value)]])),
    ),
  };
}

function shown(name: string, value: unknown): ReactNode {
  const isTime = name.endsWith('_at') && Number(value) > 0 && Number(value) <= LAST_DATE;
  if (isTime) return <ExactTime at={Number(value)} />;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
