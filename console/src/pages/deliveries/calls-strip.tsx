import { Anchor, Box, Group, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { OutcomeChart } from '../../parts/outcome-chart';
import { failedOf, inBars, shareOf } from '../../parts/outcomes';
import type { Filters } from './filters';
import { FAILING } from './standing';

interface CallsStripProps {
  readonly stats: Schemas['DeliveryStatsDto'];
  readonly bars: number;
  readonly label: string;
  /** Text shown if there are no attempts. */
  readonly none: string;
  /** Human-readable time of a bar. */
  readonly timeOf: (start: number) => string;
  /** Shows the deliveries behind a bar or a figure. */
  readonly onFilter?: ((filters: Filters) => void) | undefined;
}

/** Attempts over a period: totals and a chart. */
export function CallsStrip({ stats, bars, label, none, timeOf, onFilter }: CallsStripProps): ReactNode {
  const { points, totals } = stats;
  if (totals.delivered + failedOf(totals) + totals.given_up === 0)
    return (
      <Text c="dimmed" mb="md">
        {none}
      </Text>
    );
  return (
    <Paper withBorder p="md" mb="md">
      <Group gap="xl" align="center">
        <Figures totals={totals} onFilter={onFilter} />
        <div style={{ flex: '1 1 320px', minWidth: 0 }}>
          <OutcomeChart
            outcomes={inBars(points, bars)}
            label={label}
            timeOf={timeOf}
            height={132}
            onSelect={
              onFilter && (({ start, end }) => onFilter({ since: String(start), before: end?.toString() }))
            }
          />
        </div>
      </Group>
    </Paper>
  );
}

function Figures({
  totals,
  onFilter,
}: Pick<CallsStripProps['stats'], 'totals'> & Pick<CallsStripProps, 'onFilter'>) {
  const show = (status: string): (() => void) | undefined =>
    onFilter && (() => onFilter({ status, within: 'a day' }));
  const figures: readonly (readonly [name: string, value: string, onShow?: (() => void) | undefined])[] = [
    ['Attempts delivered', counted(totals.delivered), show('delivered')],
    ['Attempts failed', counted(failedOf(totals)), show(FAILING)],
    ['Success rate', shareOf(totals.success_per_million)],
    ['Deliveries failed', counted(totals.given_up), show('failed')],
    ['Median time', totals.p50_ms === null ? '' : timeInShort(totals.p50_ms)],
    ['p99 time', totals.p99_ms === null ? '' : timeInShort(totals.p99_ms)],
  ];
  return (
    <Group component="dl" m={0} gap="lg" maw={400}>
      {figures
        .filter(([, value]) => value !== '')
        .map(([name, value, onShow]) => (
          <Box key={name} w={116}>
            <Text component="dt" size="xs" c="dimmed">
              {onShow && value !== '0' ? (
                <Anchor component="button" inherit c="inherit" underline="always" onClick={onShow}>
                  {name}
                </Anchor>
              ) : (
                name
              )}
            </Text>
            <Text component="dd" m={0} fz={20} fw={600} lh={1.3}>
              {value}
            </Text>
          </Box>
        ))}
    </Group>
  );
}

const counted = (count: number): string => count.toLocaleString();

/** Formats a duration, such as 12 ms or 3.8 s. */
const timeInShort = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);
