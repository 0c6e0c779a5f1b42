import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultNote } from '../../parts/fault-note';
import { CallsStrip } from './calls-strip';
import { lastDay } from './delivery-queries';

const HOURS = 24;

/** Last-day chart: delivered and failed calls per hour, and response times. */
export function LastDay({ hookId }: { readonly hookId?: string }): ReactNode {
  const { data, error } = useQuery(lastDay(hookId));
  return (
    <>
      {error && <FaultNote error={error} />}
      {data ? (
        <CallsStrip
          stats={data}
          bars={HOURS}
          label="Calls of each hour of the last day"
          none="No calls in the last 24 hours."
          timeOf={(start) =>
            new Date(start).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
          }
        />
      ) : (
        <Skeleton h={160} />
      )}
    </>
  );
}
