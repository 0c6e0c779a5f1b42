import { Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

interface LoadingProps {
  /** The shape of what is coming. */
  readonly as?: 'page' | 'table' | 'cards';
}

/** Placeholder in the shape of what is loading. */
export function Loading({ as = 'table' }: LoadingProps): ReactNode {
  return (
    <div className="loading" role="status">
      <VisuallyHidden>Loading…</VisuallyHidden>
      <Stack gap="md" aria-hidden>
        {as === 'page' && (
          <Group justify="space-between">
            <Skeleton h={28} w="30%" />
            <Skeleton h={28} w={120} />
          </Group>
        )}
        {as === 'table' || <Blocks />}
        {as === 'cards' || <Rows />}
      </Stack>
    </div>
  );
}

const WIDTHS = ['92%', '78%', '85%', '70%', '88%', '74%'] as const;

const Rows = (): ReactNode => (
  <Stack gap={18}>
    {WIDTHS.map((width) => (
      <Skeleton key={width} h={12} w={width} />
    ))}
  </Stack>
);

const Blocks = (): ReactNode => (
  <Group grow>
    {WIDTHS.slice(0, 3).map((width) => (
      <Skeleton key={width} h={96} />
    ))}
  </Group>
);
