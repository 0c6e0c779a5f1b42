import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { auditRoute } from '../../app/router';
import { Choice } from '../../parts/choice';
import { FaultNote } from '../../parts/fault-note';
import { PageHead } from '../../parts/page-head';
import { TextFilter } from '../../parts/text-filter';
import { describeAction } from './actions';
import { AuditTable } from './audit-table';
import { type AuditFilters, audits, SPANS } from './system-queries';

const WITHIN = Object.fromEntries(Object.keys(SPANS).map((name) => [name, name]));

/** The audit log. Filters are in the URL, which can be shared. */
export function AuditPage(): ReactNode {
  const { by, action, result, within } = auditRoute.useSearch();
  const filters = { by, action, result, within };
  const navigate = useNavigate();
  const query = useInfiniteQuery(audits(filters));
  const rows = query.data?.pages.flat() ?? [];
  const narrow = (changed: AuditFilters): void =>
    void navigate({ to: '/audit', search: { ...filters, ...changed } });
  return (
    <>
      <PageHead title="Audit log" />
      <div className="row filters" role="group" aria-label="Filters">
        <TextFilter label="Who" hint="username" value={by} onChoose={(name) => narrow({ by: name })} />
        <TextFilter
          label="What"
          hint="any"
          value={action}
          choices={Object.fromEntries(rows.map((row) => [row.action, describeAction(row.action)]))}
          onChoose={(name) => narrow({ action: name })}
        />
        <Choice
          label="Result"
          value={result}
          choices={{ success: 'done', fail: 'refused' }}
          onChoose={(name) => narrow({ result: name })}
        />
        <Choice
          label="Within"
          value={within}
          choices={WITHIN}
          onChoose={(name) => narrow({ within: name })}
        />
        <button onClick={() => void query.refetch()}>Refresh</button>
      </div>
      {query.isError && <FaultNote error={query.error} />}
      {query.isPending && <p className="loading">Loading…</p>}
      {query.data && <AuditTable rows={rows} />}
      {query.hasNextPage && (
        <button disabled={query.isFetching} onClick={() => void query.fetchNextPage()}>
          {query.isFetchingNextPage ? 'Loading…' : 'Show earlier'}
        </button>
      )}
    </>
  );
}
