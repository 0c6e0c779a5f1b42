import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type Values = Readonly<Record<string, unknown>>;

interface DiffProps {
  readonly before: Values;
  readonly after: Values;
  /** Names of fields as users know them. */
  readonly nameOf?: (field: string) => ReactNode;
}

/** What changed in a record: each changed field with its values before and after. */
export function Diff({ before, after, nameOf = (field) => field }: DiffProps): ReactNode {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = fields.filter((field) => textOf(before[field]) !== textOf(after[field]));
  if (changed.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No differences.
      </Text>
    );
  return (
    <Table withTableBorder fz="sm" className="diff">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Field</Table.Th>
          <Table.Th>Before</Table.Th>
          <Table.Th>After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changed.map((field) => (
          <Table.Tr key={field}>
            <Table.Th scope="row">{nameOf(field)}</Table.Th>
            <Table.Td>{before[field] !== undefined && <del>{textOf(before[field])}</del>}</Table.Td>
            <Table.Td>{after[field] !== undefined && <ins>{textOf(after[field])}</ins>}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (value === '') return '(empty)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
