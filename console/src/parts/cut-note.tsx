import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { LONGEST_LIST } from '../api/all-pages';

/** Notes that a list of the maximum length may have more rows. */
export function CutNote({ count }: { readonly count: number }): ReactNode {
  if (count < LONGEST_LIST) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconInfoCircle aria-hidden />} py="xs">
      Lists are limited to {LONGEST_LIST.toLocaleString()} entries. There may be more, which are neither shown
      nor searched here.
    </Alert>
  );
}
