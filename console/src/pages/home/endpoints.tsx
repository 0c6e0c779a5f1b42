import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdmin, useUser } from '../../app/session';
import { Badge } from '../../parts/badge';
import { FaultNote } from '../../parts/fault-note';
import { Time } from '../../parts/time';
import { type Endpoint, standingOfEndpoint, useEndpointNews, whyOf } from '../endpoints/endpoint-queries';
import { Overdue } from './overdue';
import { SHOWN_ENDPOINTS, worstEndpoints } from './worst-endpoints';

/** Endpoints of all webhooks that fail or are given up, for those who may see them. */
export function Endpoints(): ReactNode {
  const enabled = isAdmin(useUser());
  useEndpointNews();
  const { data, error } = useQuery({ ...worstEndpoints, enabled });
  if (!data) return error && <FaultNote error={error} />;
  const count = data.failing_count + data.disabled_count;
  return (
    <>
      {error && <FaultNote error={error} />}
      {count > 0 && <Failing count={count} found={data.endpoints} />}
      {data.overdue_count > 0 && (
        <section aria-label="Deliveries that are late">
          <h2>Deliveries that are late</h2>
          <Overdue found={data} />
        </section>
      )}
    </>
  );
}

interface FailingProps {
  readonly count: number;
  readonly found: readonly Endpoint[];
}

function Failing({ count, found: worst }: FailingProps): ReactNode {
  return (
    <section aria-label="Endpoints that fail">
      <h2>Endpoints that fail</h2>
      <div className="cards">
        {worst
          .filter(({ state }) => state !== 'ok')
          .map((found) => (
            <div key={found.endpoint} className="card">
              <h3>
                <Link to="/endpoints/details" search={{ endpoint: found.endpoint }}>
                  {found.endpoint}
                </Link>
              </h3>
              <Badge tone={standingOfEndpoint(found).tone}>{standingOfEndpoint(found).text}</Badge>{' '}
              <Time at={found.since} none="" />
              <p>{whyOf(found)}</p>
            </div>
          ))}
      </div>
      {count > SHOWN_ENDPOINTS && (
        <p>
          <Link to="/endpoints">All {count} of them</Link>
        </p>
      )}
    </section>
  );
}
