import { Button, Group, Select, TextInput } from '@mantine/core';
import { IconDownload, IconHistory, IconRefresh } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { auditRoute } from '../../app/router';
import { Choice, optionsOf } from '../../parts/choice';
import { DataTable, type Column } from '../../parts/data-table';
import { DetailDrawer, useDetail } from '../../parts/detail-drawer';
import { Empty } from '../../parts/empty';
import { ErrorState } from '../../parts/error-state';
import { Badge } from '../../parts/badge';
import { fromLocal, toLocal } from '../../parts/local-time';
import { More } from '../../parts/more';
import { PageHead } from '../../parts/page-head';
import { TextFilter } from '../../parts/text-filter';
import { Time } from '../../parts/time';
import { showFault } from '../../parts/undo';
import { useUsernames } from '../../parts/usernames';
import { DESCRIBED_ACTIONS, targetsOf } from './actions';
import { EntryDetails, Sentence, whoOf } from './audit-entry';
import { saveAsCsv } from './audit-export';
import { useTargetNames } from './audit-targets';
import { type AuditFilters, type AuditRow, audits, SPANS } from './system-queries';

const WITHIN = Object.fromEntries(
  Object.keys(SPANS).map((name) => [name, `Last ${name.replace(/^an? /, '')}`]),
);

/** The audit log as sentences. Filters and the open entry are in the URL, which can be shared. */
export function AuditPage(): ReactNode {
  const { entry, ...filters } = auditRoute.useSearch();
  const navigate = useNavigate();
  const [, open] = useDetail('entry');
  const query = useInfiniteQuery(audits(filters));
  const rows = query.data?.pages.flat();
  const nameOf = useUsernames(rows?.map((row) => row.user_id) ?? []);
  const find = useTargetNames(rows?.flatMap(targetsOf) ?? []);
  const narrow = (changed: AuditFilters): void =>
    void navigate({ to: '/audit', search: { ...filters, ...changed } });
  const shown = rows?.find(({ id }) => id === entry);
  const columns: readonly Column<AuditRow>[] = [
    {
      title: 'Action',
      cell: (row) => <Sentence row={row} who={whoOf(row, nameOf)} find={find} />,
    },
    {
      title: 'Result',
      width: 130,
      onPhone: 'corner',
      cell: ({ result, status_code: status, count }) =>
        result === 'fail' ? (
          <Badge tone="bad">
            refused, {status}
            {count > 1 && ` × ${count}`}
          </Badge>
        ) : (
          <span className="muted">done</span>
        ),
    },
    { title: 'From', width: 150, onPhone: 'hidden', cell: ({ ip_address: address }) => address },
    { title: 'When', width: 110, isNumber: true, cell: ({ create_at: at }) => <Time at={at} /> },
  ];
  return (
    <>
      <PageHead title="Audit log">
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={() => void query.refetch()}
        >
          Refresh
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => void saveAsCsv(filters).catch(showFault)}
        >
          Export as CSV
        </Button>
      </PageHead>
      <Group gap="sm" mb="sm" align="end" role="group" aria-label="Filters">
        <TextFilter label="Who" hint="username" value={filters.by} onChoose={(by) => narrow({ by })} />
        <Select
          size="xs"
          w={260}
          label="Action"
          placeholder="Any"
          searchable
          clearable
          nothingFoundMessage="No results"
          data={optionsOf(DESCRIBED_ACTIONS)}
          value={filters.action ?? null}
          onChange={(action) => narrow({ action: action ?? undefined })}
        />
        <Choice
          label="Result"
          value={filters.result}
          choices={{ success: 'done', fail: 'refused' }}
          onChoose={(result) => narrow({ result })}
        />
        <Choice
          label="When"
          value={filters.within}
          choices={WITHIN}
          onChoose={(within) => narrow({ within, since: undefined, before: undefined })}
        />
        {(['since', 'before'] as const).map((name) => {
          const shown = toLocal(Number(filters[name] ?? NaN)).slice(0, '2026-01-01T00:00'.length);
          return (
            <TextInput
              key={`${name} ${shown}`}
              type="datetime-local"
              size="xs"
              label={name === 'since' ? 'From' : 'Until'}
              defaultValue={shown}
              onBlur={({ target: { value } }) => {
                if (value !== shown) narrow({ within: undefined, [name]: fromLocal(value)?.toString() });
              }}
            />
          );
        })}
      </Group>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {(rows !== undefined || !query.isError) && (
        <section aria-label="Audit log">
          <DataTable
            label="Audit log"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            onOpen={({ id }) => open(id)}
            openKey={entry}
            empty={<Empty icon={IconHistory} text="No entries match these filters." />}
          />
        </section>
      )}
      <More query={query} />
      <DetailDrawer param="entry" title="Audit entry">
        {() =>
          shown ? (
            <EntryDetails row={shown} who={whoOf(shown, nameOf)} find={find} />
          ) : (
            rows && <Empty text="This entry is not in the list. Show more, or remove the filters." />
          )
        }
      </DetailDrawer>
    </>
  );
}
