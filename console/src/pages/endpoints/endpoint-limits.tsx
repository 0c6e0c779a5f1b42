import { Progress, Text, Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../parts/badge';
import { ExactTime, Time } from '../../parts/time';
import { Section } from '../outgoing/section';
import type { Limits } from './endpoint-queries';

type Change = Limits['changes'][number];

const STANDINGS: Readonly<Record<Limits['standing'], readonly [Tone, string]>> = {
  trusted: ['good', 'Responds quickly'],
  unknown: ['quiet', 'Not known yet'],
  suspect: ['warning', 'Fails or hangs'],
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
  const { now, most, running, changes } = limits;
  const [tone, standing] = STANDINGS[limits.standing];
  const lines = folded(changes);
  return (
    <Section title="Concurrency" aside={<Badge tone={tone}>{standing}</Badge>}>
      <Text size="sm" mb="xs">
        Concurrency: <b>{now}</b> of {most}
      </Text>
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
          <Timeline.Item
            key={`${line.at} ${line.why}`}
            title={line.times > 1 ? `${WHY[line.why]}, ${line.times} times` : WHY[line.why]}
            fz="sm"
          >
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
    </Section>
  );
}

interface Line extends Change {
  readonly since: number;
}

/** Changes, newest first. Successive ones that did not change the limit, such as pauses, are one line with a count. */
function folded(changes: readonly Change[]): Line[] {
  const lines: Line[] = [];
  for (const change of changes) {
    const { at: since, why, times } = change;
    const last = lines.at(-1);
    if (last === undefined || change.from !== change.to || last.from !== last.to)
      lines.push({ ...change, since });
    else if (why === last.why) lines[lines.length - 1] = { ...last, since, times: last.times + times };
    else lines[lines.length - 1] = { ...last, since, ...(why === 'spared' && { why, times }) };
  }
  return lines;
}
