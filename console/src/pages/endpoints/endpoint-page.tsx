import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { endpointRoute } from '../../app/router';
import { Loaded } from '../../parts/loaded';
import { PageHead } from '../../parts/page-head';
import { StatusBadge } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import { FAILING } from '../deliveries/standing';
import { EndpointHooks } from './endpoint-hooks';
import { EndpointLimits } from './endpoint-limits';
import {
  type EndpointDetail,
  endpoint,
  type Range,
  RANGES,
  standingOfEndpoint,
  whyOf,
} from './endpoint-queries';
import { EndpointStats } from './endpoint-stats';

const HOUR_MS = 3_600_000;

/** One endpoint: its state, call statistics, limits, and the webhooks that call it. */
export function EndpointPage(): ReactNode {
  const { endpoint: name = '', range = '24h' } = endpointRoute.useSearch();
  const navigate = useNavigate();
  const query = useQuery(endpoint(name));
  return (
    <>
      <PageHead title={name || 'Endpoint'} parent={<Link to="/endpoints">Endpoints</Link>}>
        <Link to="/deliveries" search={{ endpoint: name }}>
          Deliveries
        </Link>
      </PageHead>
      <Loaded query={query}>
        {(found) => (
          <>
            <Standing found={found} />
            <EndpointHooks key={found.endpoint} found={found} />
            <EndpointStats
              endpoint={name}
              range={RANGES.find((one) => one === range) ?? '24h'}
              onChoose={(chosen: Range) =>
                void navigate({ to: '.', search: { endpoint: name, range: chosen } })
              }
            />
            <EndpointLimits limits={found.limits} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** A time with a precision of one hour. */
function HourTime({ at }: { readonly at: number }): ReactNode {
  return isOfThisHour(at) ? <span>within the last hour</span> : <Time at={at} isInText />;
}

const isOfThisHour = (at: number): boolean => Date.now() - at < HOUR_MS;

function Standing({ found }: { readonly found: EndpointDetail }): ReactNode {
  const standing = standingOfEndpoint(found);
  return (
    <dl className="facts">
      <dt>State</dt>
      <dd>
        <StatusBadge status={standing} /> {whyOf(found)}
      </dd>
      {found.since > 0 && (
        <>
          <dt>Since</dt>
          <dd>
            <Time at={found.since} isInText />
          </dd>
        </>
      )}
      {found.last_failure_at > 0 && (
        <>
          <dt>Last failure</dt>
          <dd>
            <HourTime at={found.last_failure_at} />.{' '}
            <Link to="/deliveries" search={{ endpoint: found.endpoint, status: FAILING }}>
              What failed
            </Link>
          </dd>
        </>
      )}
    </dl>
  );
}
