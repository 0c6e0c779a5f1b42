import { Choice } from '../../parts/choice';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { endpointsRoute } from '../../app/router';
import { Badge } from '../../parts/badge';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { PageHead } from '../../parts/page-head';
import { SearchField } from '../../parts/search-field';
import { StatusBadge } from '../../parts/status-badge';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useSettled } from '../../parts/use-settled';
import {
  type Endpoint,
  endpoints,
  standingOfEndpoint,
  STATES,
  useEndpointNews,
  whyOf,
} from './endpoint-queries';

/** The endpoints that webhooks call, and their states. */
export function EndpointsPage(): ReactNode {
  const { state, term } = endpointsRoute.useSearch();
  const navigate = useNavigate();
  const query = useInfiniteQuery({
    ...endpoints(state, useSettled(term)),
    placeholderData: keepPreviousData,
  });
  useEndpointNews();
  const show = (search: { state?: string | undefined; term?: string | undefined }): void =>
    void navigate({ to: '/endpoints', search, replace: search.state === state && term !== undefined });
  return (
    <>
      <PageHead title="Endpoints">
        <SearchField
          label="Search endpoints"
          value={term ?? ''}
          onSearch={(text) => show({ state, term: text || undefined })}
        />
        <Choice
          label="State"
          value={state}
          choices={Object.fromEntries(STATES.map((one) => [one, standingOfEndpoint({ state: one }).text]))}
          onChoose={(chosen) => show({ term, state: chosen })}
        />
      </PageHead>
      <Loaded query={query}>
        {({ pages }) => (
          <>
            <EndpointTable
              found={pages.flatMap((page) => page.endpoints)}
              isFiltered={state !== undefined || term !== undefined}
            />
            <More query={query} />
          </>
        )}
      </Loaded>
    </>
  );
}

interface EndpointTableProps {
  readonly found: readonly Endpoint[];
  readonly isFiltered: boolean;
}

function EndpointTable({ found, isFiltered }: EndpointTableProps): ReactNode {
  if (found.length === 0)
    return (
      <p className="empty">
        {isFiltered
          ? 'No endpoints match.'
          : 'No endpoints yet. Every server that an outgoing webhook calls is an endpoint.'}
      </p>
    );
  return (
    <Table heads={['Endpoint', 'State', 'Why', 'Since', 'Webhooks']}>
      {found.map((one) => (
        <EndpointRow key={one.endpoint} found={one} />
      ))}
    </Table>
  );
}

function EndpointRow({ found }: { readonly found: Endpoint }): ReactNode {
  const standing = standingOfEndpoint(found);
  return (
    <tr>
      <td>
        <Link to="/endpoints/details" search={{ endpoint: found.endpoint }}>
          {found.endpoint}
        </Link>
      </td>
      <td>
        <StatusBadge status={standing} /> {found.spared_until > 0 && <Badge tone="warning">paused</Badge>}
      </td>
      <td>{whyOf(found)}</td>
      <td>
        <Time at={found.since} none="" />
      </td>
      <td>
        {found.hooks
          .slice(0, 3)
          .map(({ display_name: name }) => name || 'Unnamed')
          .join(', ')}
        {found.hook_count > 3 && ` and ${found.hook_count - 3} more`}
      </td>
    </tr>
  );
}
