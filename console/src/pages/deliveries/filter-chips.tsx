import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type OutgoingHook, outgoingHook } from '../outgoing/outgoing-queries';
import { type FilterName, FILTERS, type Filters, LABELS, SPANS } from './filters';
import { describeError } from './error-classes';
import { STATUSES } from './standing';

interface FilterChipsProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** Active filters without a visible field, each with a remove button. */
export function FilterChips({ filters, onChange }: FilterChipsProps): ReactNode {
  const set = FILTERS.filter((name) => filters[name] !== undefined && !isInSight(name, filters));
  if (set.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters that are set">
      {set.map((name) => (
        <li key={name}>
          <Chip
            name={name}
            value={filters[name] ?? ''}
            onRemove={() => onChange({ ...filters, [name]: undefined })}
          />
        </li>
      ))}
    </ul>
  );
}

/** Whether an always visible field shows the filter. */
function isInSight(name: FilterName, { status = '', within = '' }: Filters): boolean {
  return (name === 'status' && status in STATUSES) || (name === 'within' && within in SPANS);
}

interface ChipProps {
  readonly name: FilterName;
  readonly value: string;
  readonly onRemove: () => void;
}

function Chip({ name, value, onRemove }: ChipProps): ReactNode {
  const { data: hook } = useQuery({ ...outgoingHook(value), enabled: name === 'hook' });
  const shown = name === 'hook' ? hookName(hook, value) : shownValue(name, value);
  return (
    <Button variant="default" size="compact-xs" title="Remove this filter" onClick={onRemove}>
      {LABELS[name]}
      {shown && `: ${shown}`} <span aria-hidden="true">×</span>
    </Button>
  );
}

function hookName(hook: OutgoingHook | undefined, id: string): string {
  return hook ? hook.display_name || 'Unnamed' : id;
}

function shownValue(name: FilterName, value: string): string {
  if (name === 'error') return describeError(value);
  if (name === 'after') return ''; // a cursor is not human-readable
  return name === 'since' || name === 'before' ? new Date(Number(value)).toLocaleString() : value;
}
