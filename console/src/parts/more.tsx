import { Button, Group } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultNote } from './fault-note';

interface MoreProps {
  readonly query: UseInfiniteQueryResult<unknown>;
}

/** Loads the next page of a list, if there is one. */
export function More({ query }: MoreProps): ReactNode {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = query;
  if (!hasNextPage) return null;
  return (
    <Group justify="center" mt="sm">
      {isFetchNextPageError && error && <FaultNote error={error} />}
      <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        More
      </Button>
    </Group>
  );
}
