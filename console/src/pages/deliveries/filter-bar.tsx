import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Choice } from '../../parts/choice';
import { Copy } from '../../parts/copy';
import { TextFilter } from '../../parts/text-filter';
import { deliveries, type Source, STATUSES } from './delivery-queries';
import { ERRORS, errorInWords } from './error-classes';
import { FilterChips } from './filter-chips';
import { faultOf, type Filters, SPANS } from './filters';
import { statusInWords } from './reasons';
import { SavedViews } from './saved-views';
import { TimeFilter } from './time-filter';
import { WebhookFilter } from './webhook-filter';

/** Filters that are out of sight until one of them is in the address. */
const RARE: ReadonlySet<string> = new Set(['error', 'http', 'endpoint', 'id', 'since', 'before']);
/** Those of a list that only administrators can narrow further. */
const COMMON: ReadonlySet<string> = new Set(['status', 'within', 'since', 'before']);

const activeNames = (filters: Filters): string[] =>
  Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));

interface FilterBarProps {
  readonly source: Source;
  readonly onChange: (filters: Filters) => void;
}

/** What narrows a list of deliveries. All of it is in the address, which can be copied, and kept as a view. */
export function FilterBar({ source, onChange }: FilterBarProps): ReactNode {
  const { filters, hookId, isOfAdmin } = source;
  const { error } = useInfiniteQuery({ ...deliveries(source), enabled: false }); // the list asks
  const set = (changed: Filters): void => onChange({ ...filters, after: undefined, ...changed });
  const [hasRare] = useState(() => activeNames(filters).some((name) => RARE.has(name)));
  return (
    <>
      <div className="row" role="group" aria-label="Filters">
        {hookId === undefined && <WebhookFilter onChoose={(hook) => set({ hook })} />}
        <Choice
          label="Status"
          value={filters.status}
          choices={Object.fromEntries(STATUSES.map((status) => [status, statusInWords(status)]))}
          onChoose={(status) => set({ status })}
        />
        <Choice
          label="Within"
          value={filters.within}
          choices={Object.fromEntries(Object.keys(SPANS).map((span) => [span, span]))}
          onChoose={(within) => set({ within, since: undefined, before: undefined })}
        />
        {activeNames(filters).length > 0 && <button onClick={() => onChange({})}>Clear</button>}
        <Copy text={location.href} label="Copy the address of this list" caption="Copy the address" />
      </div>
      <details className="more-filters" open={hasRare}>
        <summary>More filters</summary>
        <div className="row" role="group" aria-label="More filters">
          {isOfAdmin && (
            <>
              <Choice
                label="Error"
                value={filters.error}
                choices={Object.fromEntries(ERRORS.map((one) => [one, errorInWords(one)]))}
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
      <FilterChips filters={filters} onChange={onChange} />
      <SavedViews
        filters={filters}
        isOffered={(name) => (hookId === undefined || name !== 'hook') && (isOfAdmin || COMMON.has(name))}
        onChoose={onChange}
      />
    </>
  );
}
