import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Choice } from '../../parts/choice';
import { Copy } from '../../parts/copy';
import { TextFilter } from '../../parts/text-filter';
import { deliveries, type Source } from './delivery-queries';
import { ERRORS, describeError } from './error-classes';
import { FilterChips } from './filter-chips';
import { faultOf, type Filters, SPANS } from './filters';
import { SavedViews } from './saved-views';
import { STATUSES } from './standing';
import { TimeFilter } from './time-filter';
import { WebhookFilter } from './webhook-filter';

/** Filters available without administrator rights. */
const COMMON: ReadonlySet<string> = new Set(['status', 'within', 'since', 'before']);

const activeNames = (filters: Filters): string[] =>
  Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));

interface FilterBarProps {
  readonly source: Source;
  readonly onChange: (filters: Filters) => void;
}

/** Filters of a delivery list. All are in the URL, which can be copied or saved as a view. */
export function FilterBar({ source, onChange }: FilterBarProps): ReactNode {
  const { filters, hookId, isOfAdmin } = source;
  const { error } = useInfiniteQuery({ ...deliveries(source), enabled: false }); // the list itself fetches
  const set = (changed: Filters): void => onChange({ ...filters, after: undefined, ...changed });
  return (
    <div className="filter-bar">
      <div className="row filters" role="group" aria-label="Filters">
        {hookId === undefined && <WebhookFilter onChoose={(hook) => set({ hook })} />}
        <Choice
          label="Status"
          value={filters.status}
          choices={STATUSES}
          onChoose={(status) => set({ status })}
        />
        <Choice
          label="Within"
          value={filters.within}
          choices={Object.fromEntries(Object.keys(SPANS).map((span) => [span, span]))}
          onChoose={(within) => set({ within, since: undefined, before: undefined })}
        />
        <Copy text={location.href} label="Copy the link to this list" caption="Copy link" />
        {activeNames(filters).length > 0 && (
          <Button variant="default" size="compact-xs" onClick={() => onChange({})}>
            Clear
          </Button>
        )}
      </div>
      <details className="more-filters">
        <summary>More filters</summary>
        <div className="row" role="group" aria-label="More filters">
          {isOfAdmin && (
            <>
              <Choice
                label="Error"
                value={filters.error}
                choices={Object.fromEntries(ERRORS.map((one) => [one, describeError(one)]))}
                onChoose={(one) => set({ error: one })}
              />
              <TextFilter
                label="Answer"
                value={filters.http}
                fault={faultOf('http', error)}
                hint="503 or 5xx"
                isShort
                onChoose={(http) => set({ http })}
              />
              <TextFilter
                label="Endpoint"
                value={filters.endpoint}
                fault={faultOf('endpoint', error)}
                hint="https://ci.example.com"
                onChoose={(endpoint) => set({ endpoint })}
              />
              <TextFilter
                label="Delivery"
                value={filters.id}
                fault={faultOf('id', error)}
                hint="its id"
                isShort
                onChoose={(id) => set({ id })}
              />
            </>
          )}
          <TimeFilter
            label="From"
            value={filters.since}
            onChoose={(since) => set({ since, within: undefined })}
          />
          <TimeFilter
            label="Until"
            value={filters.before}
            onChoose={(before) => set({ before, within: undefined })}
          />
        </div>
      </details>
      <div className="filters-set">
        <FilterChips filters={filters} onChange={onChange} />
        <SavedViews
          filters={filters}
          isOffered={(name) => (hookId === undefined || name !== 'hook') && (isOfAdmin || COMMON.has(name))}
          onChoose={onChange}
        />
      </div>
    </div>
  );
}
