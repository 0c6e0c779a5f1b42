import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultNote } from '../../parts/fault-note';
import { CallsStrip } from './calls-strip';
import { lastDay } from './delivery-queries';
import type { Filters } from './filters';

const HOURS = 24;

interface LastDayProps {
  readonly hookId?: string;
  /** Shows the deliveries behind a bar or a figure. */
  readonly onFilter?: (filters: Filters) => void;
}

/** Last-day chart: delivered and failed attempts per hour, and response times. */
export function LastDay({ hookId, onFilter }: LastDayProps): ReactNode {
  const { data, error } = useQuery(lastDay(hookId));
  return (
    <>
      {error && <FaultNote error={error} />}
      {data ? (
        <CallsStrip
          stats={data}
          bars={HOURS}
          label="Attempts of each hour of the last day"
          onFilter={onFilter}
          none="No calls in the last 24 hours."
          timeOf={(start) =>
            new Date(start).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
          }
        />
      ) : (
        <Skeleton h={166} mb="md" radius="lg" />
      )}
    </>
  );
}
