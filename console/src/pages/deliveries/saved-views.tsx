import { ActionIcon, Badge, Group, Tabs, TextInput, Tooltip } from '@mantine/core';
import { IconBookmarkMinus, IconBookmarkPlus } from '@tabler/icons-react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { useUser } from '../../app/session';
import { Copy } from '../../parts/copy';
import { DialogButton } from '../../parts/dialog-button';
import { FaultNote } from '../../parts/fault-note';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { showFault, showUndo } from '../../parts/undo';
import { countWith, type Source } from './delivery-queries';
import { activeFilters, areSameFilters, type Filters, lastingFilters } from './filters';
import { FAILING } from './standing';

const CATEGORY = 'hookline_delivery_views';
const MAX_VIEWS = 20;
/** Maximum length of a preference name. */
const MAX_NAME_LENGTH = 32;
/** Filters available without administrator rights. */
const COMMON: ReadonlySet<string> = new Set(['status', 'within', 'since', 'before']);

type Preference = Schemas['PreferenceDto'];

const PATH = { user_id: 'me' };
const views = queryOptions({ queryKey: ['views', 'deliveries'], queryFn: readViews, staleTime: 60_000 });

interface View {
  readonly name: string;
  readonly filters: Filters;
  /** Set if the user has saved it. */
  readonly saved?: Preference;
  /** Set if its deliveries are counted. */
  readonly isCounted?: boolean;
}

const BUILT_IN: readonly View[] = [
  { name: 'All', filters: {} },
  { name: 'Failing', filters: { status: FAILING }, isCounted: true },
  { name: 'Waiting', filters: { status: 'pending' }, isCounted: true },
  { name: 'Delivered', filters: { status: 'delivered' } },
  { name: 'Cancelled', filters: { status: 'cancelled' } },
];

interface SavedViewsProps {
  readonly source: Source;
  readonly onChoose: (filters: Filters) => void;
}

/** Common filters and those that the user has saved on the server, as tabs. */
export function SavedViews({ source, onChoose }: SavedViewsProps): ReactNode {
  const { filters, hookId, isOfAdmin } = source;
  const { data: saved = [], error } = useQuery(views);
  const isOffered = (name: string): boolean =>
    (hookId === undefined || name !== 'hook') && (isOfAdmin || COMMON.has(name));
  const shown = [
    ...BUILT_IN,
    ...saved
      .map((view): View => ({ name: view.name, filters: filtersIn(view.value), saved: view }))
      .filter((view) => Object.keys(view.filters).every(isOffered)),
  ];
  const current = shown.findLastIndex((view) => areSameFilters(view.filters, filters));
  const ownView = shown[current]?.saved;
  return (
    <>
      {error && <FaultNote error={error} />}
      <Group gap="xs" mb="sm" wrap="nowrap">
        <Tabs
          value={String(current)}
          onChange={(index) => onChoose(shown[Number(index)]?.filters ?? {})}
          activateTabWithKeyboard={false}
          miw={0}
          flex={1}
        >
          <Tabs.List
            aria-label="Views"
            style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}
          >
            {shown.map(({ name, filters: { status = '' }, isCounted = false }, index) => (
              <Tabs.Tab key={index} value={String(index)} flex="none">
                {name}
                {isCounted && <Count source={source} status={status} />}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
        <Copy text={location.href} label="Copy the link to this list" />
        {current === -1 && <SaveView filters={filters} saved={saved} />}
        {ownView && <RemoveView key={ownView.name} view={ownView} onRemoved={() => onChoose({})} />}
      </Group>
    </>
  );
}

/** At most a few dozen are counted, so that long lists stay fast. */
function Count({ source, status }: { readonly source: Source; readonly status: string }): ReactNode {
  const { data: count = '' } = useQuery(countWith(source, status));
  return (
    count !== '' && (
      <Badge size="sm" variant="default" ml={6}>
        {count}
      </Badge>
    )
  );
}

interface SaveViewProps {
  readonly filters: Filters;
  readonly saved: readonly Preference[];
}

function SaveView({ filters, saved }: SaveViewProps): ReactNode {
  const client = useQueryClient();
  const { id: userId } = useUser();
  const [name, setName] = useState('');
  const isKnown = saved.some((view) => view.name === name.trim());
  const save = async (close: () => void): Promise<void> => {
    const value = JSON.stringify(lastingFilters(filters));
    const body = [{ user_id: userId, category: CATEGORY, name: name.trim(), value }];
    await answerOf(api.PUT('/api/v4/users/{user_id}/preferences', { params: { path: PATH }, body }));
    await client.invalidateQueries({ queryKey: views.queryKey });
    close();
  };
  return (
    <DialogButton
      kind="small"
      label="Save view"
      title="Save these filters as a view"
      icon={<IconBookmarkPlus size={14} />}
    >
      {(close) =>
        saved.length >= MAX_VIEWS && !isKnown ? (
          `There are ${MAX_VIEWS} views. Remove one first.`
        ) : (
          <Form action="Save" onSubmit={() => save(close)}>
            <Field name="name" label="Name" hint={isKnown && 'This replaces the view of the same name.'}>
              <TextInput
                value={name}
                maxLength={MAX_NAME_LENGTH}
                required
                autoFocus
                onChange={({ target }) => setName(target.value)}
              />
            </Field>
          </Form>
        )
      }
    </DialogButton>
  );
}

interface RemoveViewProps {
  readonly view: Preference;
  readonly onRemoved: () => void;
}

function RemoveView({ view, onRemoved }: RemoveViewProps): ReactNode {
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: views.queryKey });
  const params = { path: PATH };
  const restore = async (): Promise<void> => {
    await answerOf(api.PUT('/api/v4/users/{user_id}/preferences', { params, body: [view] }));
    await refresh();
  };
  const remove = async (): Promise<void> => {
    await answerOf(api.POST('/api/v4/users/{user_id}/preferences/delete', { params, body: [view] }));
    await refresh();
    onRemoved();
    showUndo(`The view “${view.name}” was removed.`, restore);
  };
  const label = `Remove the view ${view.name}`;
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={() => void remove().catch(showFault)}>
        <IconBookmarkMinus size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

async function readViews(): Promise<Preference[]> {
  const all = await answerOf(api.GET('/api/v4/users/{user_id}/preferences', { params: { path: PATH } }));
  return all
    .filter(({ category }) => category === CATEGORY) // asked for alone, no views are an error
    .slice(0, MAX_VIEWS)
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** The value may come from another program. */
function filtersIn(value: string): Filters {
  try {
    return activeFilters(JSON.parse(value) as Record<string, unknown>);
  } catch {
    return {};
  }
}
