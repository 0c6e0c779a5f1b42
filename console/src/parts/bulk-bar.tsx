import { ActionBar, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface BulkBarProps {
  /** Number of selected records; hidden if there are none. */
  readonly count: number;
  readonly onClear: () => void;
  /** Buttons for them. */
  readonly children: ReactNode;
}

/** Actions for the selected records of a list, at the bottom of the window. */
export function BulkBar({ count, onClear, children }: BulkBarProps): ReactNode {
  return (
    <ActionBar
      opened={count > 0}
      onClose={onClear}
      position={{ bottom: 16, left: 0, right: 0 }}
      mx="auto"
      w="fit-content"
      aria-label="Selection"
    >
      <Text size="sm" fw={600} role="status">
        {count} selected
      </Text>
      <ActionBar.Divider />
      {children}
      <ActionBar.CloseButton aria-label="Clear the selection" />
    </ActionBar>
  );
}
