import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface BrandProps {
  readonly size?: number;
  /** Only the icon. */
  readonly isShort?: boolean;
}

/** The icon, as in `icon.svg`, and the name. */
export function Brand({ size = 26, isShort = false }: BrandProps): ReactNode {
  return (
    <Group gap={size * 0.36} wrap="nowrap">
      <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--mantine-color-iris-7)" />
        <path
          d="M10 6.5v19M10 15.5a6.5 6.5 0 0 1 13 0v6.2a3.8 3.8 0 0 1-7.6 0v-1.2"
          fill="none"
          stroke="#fff"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {!isShort && (
        <Text component="span" fz={size * 0.65} fw={650} lh={1} lts="-0.02em">
          Hookline
        </Text>
      )}
    </Group>
  );
}
