import { Group, Paper, Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Trend } from './trend';

interface StatCardProps {
  /** Name of the figure; a link if there are details. */
  readonly label: ReactNode;
  readonly value: string;
  /** What it was the day before, and whether the change is good; undefined if it is not known. */
  readonly before?: { readonly text: string; readonly isUp: boolean; readonly isGood: boolean } | undefined;
  /** Course over time, with a label for screen readers. */
  readonly trend?: { readonly values: readonly number[]; readonly label: string; readonly color?: string };
}

/** One figure with its course over time. */
export function StatCard({ label, value, before, trend }: StatCardProps): ReactNode {
  const Arrow = before?.isUp ? IconArrowUpRight : IconArrowDownRight;
  return (
    <Paper withBorder p="sm" pos="relative" className="stat-card">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Group justify="space-between" align="end" wrap="nowrap" gap="xs">
        <Text fz={24} fw={600} lh={1.3}>
          {value}
        </Text>
        {trend && <Trend {...trend} width="45%" height={40} />}
      </Group>
      <Group gap={2} wrap="nowrap" c={before?.isGood ? 'green' : 'red'} fz="xs" mih={18}>
        {before && (
          <>
            <Arrow size={14} aria-hidden />
            {before.text}
          </>
        )}
      </Group>
    </Paper>
  );
}
