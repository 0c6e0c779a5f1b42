import { Button, Divider, Group, Popover, Stack, TextInput } from '@mantine/core';
import { IconArrowUp, IconCalendarTime } from '@tabler/icons-react';
import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type Filter, FilterChips } from '../../parts/filter-chips';
import { fromLocal, toLocal } from '../../parts/local-time';
import { Picker, type PickerOption } from '../../parts/picker';
import { outgoingHook, readOutgoingHooks } from '../outgoing/outgoing-queries';
import { deliveries, type Source } from './delivery-queries';
import { ERRORS } from './error-classes';
import { activeFilters, faultOf, type Filters, lastingFilters, SPANS } from './filters';
import { STATUSES } from './standing';

interface FilterBarProps {
  readonly source: Source;
  readonly onChange: (filters: Filters) => void;
}

/** Filters of a delivery list as chips. All are in the URL. */
export function FilterBar({ source, onChange }: FilterBarProps): ReactNode {
  const { filters, hookId, isOfAdmin } = source;
  const { error } = useInfiniteQuery({ ...deliveries(source), enabled: false }); // the list itself fetches
  const hook = useQuery({ ...outgoingHook(filters.hook ?? ''), enabled: filters.hook !== undefined });
  const offered: Record<string, Filter> = {
    status: { label: 'Status', choices: STATUSES },
    ...(hookId === undefined && {
      hook: {
        label: 'Webhook',
        describe: (id: string) => (hook.data ? hook.data.display_name || 'Unnamed' : id),
        editor: (onDone: (id: string) => void) => <WebhookPicker onChoose={onDone} />,
      },
    }),
    ...(isOfAdmin && {
      http: { label: 'Response', hint: '503 or 5xx', fault: faultOf('http', error) },
      error: { label: 'Error', choices: ERRORS },
      endpoint: { label: 'Endpoint', hint: 'https://ci.example.com', fault: faultOf('endpoint', error) },
      id: { label: 'Delivery ID', fault: faultOf('id', error) },
    }),
  };
  return (
    <Group gap="xs">
      <TimeRange filters={filters} onChange={onChange} />
      <FilterChips
        filters={offered}
        values={lastingFilters(filters)}
        onChange={(values) => onChange(activeFilters(values))}
      />
      {filters.after !== undefined && (
        <Button
          variant="light"
          size="compact-sm"
          leftSection={<IconArrowUp size={14} />}
          onClick={() => onChange(lastingFilters(filters))}
        >
          Back to the newest
        </Button>
      )}
    </Group>
  );
}

const RANGES: Readonly<Record<string, string>> = {
  'an hour': 'Last hour',
  'a day': 'Last 24 hours',
  'a week': 'Last 7 days',
};
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function describeRange({ within = '', since, before }: Filters): string {
  const [from, to] = [since, before].map((at) => at !== undefined && MOMENT.format(Number(at)));
  if (within in SPANS) return RANGES[within] ?? within;
  if (from && to) return `${from} – ${to}`;
  if (from) return `Since ${from}`;
  return to ? `Until ${to}` : 'Any time';
}

/** Common time ranges, and two times by hand. */
function TimeRange({ filters, onChange }: { readonly filters: Filters } & Pick<FilterBarProps, 'onChange'>) {
  const [isOpen, setOpen] = useState(false);
  const { within, since, before, ...others } = lastingFilters(filters);
  const choose = (range: Filters): void => {
    setOpen(false);
    onChange(activeFilters({ ...others, ...range }));
  };
  const apply = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const [from, to] = new FormData(event.currentTarget).values();
    const at = (text: unknown): string | undefined => fromLocal(String(text))?.toString();
    choose({ since: at(from), before: at(to) });
  };
  const time = (name: string, label: string, value: string | undefined): ReactNode => (
    <TextInput
      size="xs"
      type="datetime-local"
      step={1}
      name={name}
      label={label}
      defaultValue={value && toLocal(Number(value))}
    />
  );
  const isAny = [within, since, before].every((one) => one === undefined);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button
          variant={isAny ? 'default' : 'light'}
          size="compact-sm"
          leftSection={<IconCalendarTime size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          {describeRange(filters)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={2}>
          {[undefined, ...Object.keys(SPANS)].map((span) => (
            <Button
              key={span ?? ''}
              variant={(span === undefined ? isAny : span === within) ? 'light' : 'subtle'}
              color="gray"
              c="inherit"
              justify="flex-start"
              onClick={() => choose({ within: span })}
            >
              {span === undefined ? 'Any time' : RANGES[span]}
            </Button>
          ))}
        </Stack>
        <Divider my="xs" />
        <form onSubmit={apply}>
          <Stack gap="xs">
            {time('from', 'From', since)}
            {time('to', 'To', before)}
            <Button type="submit">Apply</Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

const MAX_OFFERED = 50;
const hooks = queryOptions({
  queryKey: ['outgoing', 'names'],
  queryFn: () => readOutgoingHooks({}),
  staleTime: 60_000,
});

/** Picks a webhook by a part of its name. */
function WebhookPicker({ onChoose }: { readonly onChoose: (hookId: string) => void }): ReactNode {
  const client = useQueryClient();
  const find = async (term: string): Promise<PickerOption[]> => {
    const wanted = term.toLowerCase();
    return (await client.fetchQuery(hooks))
      .filter(({ display_name: name }) => name.toLowerCase().includes(wanted))
      .slice(0, MAX_OFFERED)
      .map(({ id, display_name: name }) => ({ value: id, label: name || `Unnamed (${id})` }));
  };
  return (
    <Picker
      size="xs"
      label="Webhook"
      placeholder="Part of its name"
      queryKey={[...hooks.queryKey, 'found']}
      find={find}
      value=""
      data-autofocus
      comboboxProps={{ withinPortal: false }}
      onChange={onChoose}
    />
  );
}
