import { Group, Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form } from '../../parts/form';
import { Time } from '../../parts/time';
import type { Recovery } from './recovery-requests';

interface RecoveryProgressProps extends Pick<Recovery, 'total' | 'requeued' | 'status' | 'finish_at'> {
  readonly onStop: () => Promise<void>;
}

/** Progress of a recovery with a stop button, or the result of the last one. */
export function RecoveryProgress({ total, requeued, status, ...rest }: RecoveryProgressProps): ReactNode {
  if (status !== 'running')
    return (
      <Text size="sm" c="dimmed" role="status">
        {status === 'stopped' ? 'Stopped' : 'Finished'} <Time at={rest.finish_at} isInText />: {requeued} of{' '}
        {total} resent.
      </Text>
    );
  return (
    <Form isPart action="Stop" onSubmit={rest.onStop}>
      <Group gap="xs" mb="xs">
        <Progress.Root w={160}>
          <Progress.Section value={(100 * requeued) / Math.max(total, 1)} aria-label="Resent" />
        </Progress.Root>
        <Text size="sm">
          {requeued} of {total} resent
        </Text>
      </Group>
    </Form>
  );
}

/** What will be resent: ended deliveries, and those waiting for their next attempt. */
export function describeMissed({ total, waiting }: Pick<Recovery, 'total' | 'waiting'>): string {
  const ended = total - waiting;
  const parts = [
    ended === 1 && '1 delivery has failed or was cancelled since then.',
    ended > 1 && `${ended} deliveries have failed or were cancelled since then.`,
    waiting === 1 && '1 delivery waits for its next attempt.',
    waiting > 1 && `${waiting} deliveries wait for their next attempt.`,
  ];
  return parts.filter(Boolean).join(' ');
}
