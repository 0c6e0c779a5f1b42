import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { queries } from '../../app/services';
import { Badge } from '../../parts/badge';
import { FaultNote } from '../../parts/fault-note';
import { Time } from '../../parts/time';
import { check } from './connection-queries';

interface CheckConnectionProps {
  readonly remoteId: string;
  /** Runs one check on mount. */
  readonly isAtOnce?: boolean;
}

/** Checks a connection and shows the result in both directions. */
export function CheckConnection({ remoteId, isAtOnce = false }: CheckConnectionProps): ReactNode {
  const query = useQuery({ ...check(remoteId), enabled: isAtOnce });
  const tryNow = async (): Promise<void> => {
    await query.refetch();
    await queries.invalidateQueries({ queryKey: ['connections', remoteId] });
  };
  return (
    <div role="group" aria-label="Check">
      <Button variant="default" size="xs" disabled={query.isFetching} onClick={() => void tryNow()}>
        {query.isFetching ? 'Checking…' : 'Check now'}
      </Button>
      <div role="status">
        {query.isError ? <FaultNote error={query.error} /> : query.data && <Checked found={query.data} />}
      </div>
    </div>
  );
}

function Checked({ found }: { readonly found: Schemas['CheckedPeerDto'] }): ReactNode {
  return (
    <>
      <dl className="facts check-facts">
        <dt>From here to there</dt>
        <dd>
          {found.is_reached ? (
            <>
              <Badge tone="good">reached</Badge> in {found.round_trip_ms} ms
            </>
          ) : (
            <>
              <Badge tone="bad">not reached</Badge> {found.error}
            </>
          )}
        </dd>
        <dt>From there to here</dt>
        <dd>
          {found.is_silent ? (
            <Badge tone="bad">probably cannot reach this server</Badge>
          ) : (
            <>
              last called <Time isInText at={found.last_heard_at} none="never since it was connected" />
            </>
          )}
        </dd>
        {found.clock_skew_ms !== undefined && (
          <>
            <dt>Clocks</dt>
            <dd>{skewText(found.clock_skew_ms)}</dd>
          </>
        )}
        <dt>Tried</dt>
        <dd>
          <Time at={found.checked_at} isInText />
        </dd>
        <dt>Its address for this server</dt>
        <dd>{found.given_site_url || <span className="muted">not recorded</span>}</dd>
      </dl>
      {found.advice && <p className="advice">{found.advice}</p>}
    </>
  );
}

function skewText(ms: number): string {
  if (Math.abs(ms) < 1_000) return `the same, to within ${Math.max(1, Math.abs(ms))} ms`;
  return `theirs is ${(Math.abs(ms) / 1_000).toFixed(1)} s ${ms > 0 ? 'ahead' : 'behind'}`;
}
