import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultNote } from '../../parts/fault-note';
import { failedOf, mostCalls, OutcomeBars, shareOf, Span } from '../../parts/outcome-bars';
import { lastDay } from './delivery-queries';

const HOURS = 24;

/** A strip of the last day: how many calls delivered and failed in each hour, and how fast they were answered. */
export function LastDay({ hookId }: { readonly hookId?: string }): ReactNode {
  const { data, error } = useQuery(lastDay(hookId));
  if (!data) return <div className="strip">{error && <FaultNote error={error} />}</div>;
  const { totals } = data;
  const share = shareOf(totals.success_per_million);
  return (
    <div className="strip">
      {error && <FaultNote error={error} />}
      <OutcomeBars
        points={data.points}
        bars={HOURS}
        label="Calls of each hour of the last day"
        timeOf={(start) => new Date(start).toLocaleTimeString()}
      />
      <Span from="24 hours ago" most={mostCalls(data.points, HOURS)} />
      <p>
        <b>{totals.delivered}</b> calls <span className="key good">delivered</span>, <b>{failedOf(totals)}</b>{' '}
        <span className="key bad">failed</span>
        {share !== '' && `: ${share} success`}.
        {totals.given_up > 0 &&
          ` ${totals.given_up} ${totals.given_up === 1 ? 'delivery was' : 'deliveries were'} given up.`}
        {totals.p50_ms !== null &&
          ` Half were answered within ${totals.p50_ms} ms, 99 of 100 within ${totals.p99_ms} ms.`}
      </p>
    </div>
  );
}
