import { Group, Paper, Progress, Text, Timeline, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../parts/badge';
import { ExactTime, Time } from '../../parts/time';
import type { Limits } from './endpoint-queries';

type Change = Limits['changes'][number];

const TONES: Readonly<Record<Limits['standing'], Tone>> = {
  trusted: 'good',
  unknown: 'quiet',
  suspect: 'warning',
};
const STANDINGS: Readonly<Record<Limits['standing'], string>> = {
  trusted: 'Responds quickly',
  unknown: 'Not known yet',
  suspect: 'Fails or hangs',
};
const WHY: Readonly<Record<Change['why'], string>> = {
  answered: 'Responded',
  failed: 'Failed or timed out',
  unreachable: 'Could not be reached',
  slow: 'Took longer than 2 s, or had a large response',
  spared: 'Paused after too many failures in a row',
  resumed: 'Resumed after the pause',
  forgotten: 'Reset after ten minutes without calls',
};
const SHOWN = 8;

/** Concurrency of calls to an endpoint, and how it changed. */
export function EndpointLimits({ limits }: { readonly limits: Limits }): ReactNode {
  const { now, most, running, standing, changes } = limits;
  const lines = folded(changes);
  return (
    <Paper withBorder p="md" fz="sm" component="section" aria-label="Concurrency">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3" m={0}>
          Concurrency: {now} of {most}
        </Title>
        <Badge tone={TONES[standing]}>{STANDINGS[standing]}</Badge>
      </Group>
      <Progress.Root size="sm">
        <Progress.Section value={(100 * now) / most} aria-label="Concurrency" />
      </Progress.Root>
      <Text size="xs" c="dimmed" my="xs">
        {running === 1 ? '1 call is running.' : `${running} calls are running.`}
      </Text>
      {lines.length === 0 && (
        <Text size="sm" c="dimmed">
          No changes in the last day.
        </Text>
      )}
      <Timeline bulletSize={10} lineWidth={1} mt="sm">
        {lines.slice(0, SHOWN).map((line) => (
          <Timeline.Item key={`${line.at} ${line.text}`} title={<Text size="sm">{line.text}</Text>}>
            <Text size="xs" c="dimmed">
              {line.from !== line.to && `${line.from} → ${line.to} · `}
              <Time at={line.at} isInText />
              {line.since < line.at && (
                <>
                  , since <ExactTime at={line.since} hasDate={false} hasMs={false} />
                </>
              )}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Paper>
  );
}

interface Line extends Pick<Change, 'at' | 'from' | 'to' | 'times'> {
  readonly since: number;
  readonly text: string;
}

/** Changes, newest first. A row of those that did not change the limit, such as pauses, is one line with a count. */
function folded(changes: readonly Change[]): Line[] {
  const runs: Change[][] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (last && change.from === change.to && last.every(({ from, to }) => from === to)) last.push(change);
    else runs.push([change]);
  }
  return runs.flatMap((run) => {
    const [newest, oldest] = [run[0], run.at(-1)];
    if (!newest || !oldest) return [];
    const pauses = run.filter(({ why }) => why === 'spared').reduce((sum, { times }) => sum + times, 0);
    const times = run.reduce((sum, one) => sum + one.times, 0);
    const text = run.length > 1 && pauses > 0 ? 'Paused after too many failures' : WHY[newest.why];
    const count = run.length > 1 && pauses > 0 ? pauses : times;
    return [
      {
        ...{ at: newest.at, since: oldest.at, from: oldest.from, to: newest.to, times: count },
        text: count > 1 ? `${text}, ${count} times` : text,
      },
    ];
  });
}
