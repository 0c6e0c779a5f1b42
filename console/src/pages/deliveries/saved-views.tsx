import { Button, TextInput } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { useUser } from '../../app/session';
import { FaultNote } from '../../parts/fault-note';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { Modal } from '../../parts/modal';
import { activeFilters, type FilterName, type Filters, lastingFilters } from './filters';

const CATEGORY = 'hookline_delivery_views';
const MAX_VIEWS = 20;
/** Maximum length of a preference name. */
const MAX_NAME_LENGTH = 32;

type Preference = Schemas['PreferenceDto'];

const views = queryOptions({ queryKey: ['views', 'deliveries'], queryFn: readViews, staleTime: 60_000 });

interface SavedViewsProps {
  readonly filters: Filters;
  /** Whether the list supports a filter. Views with other filters are hidden. */
  readonly isOffered: (name: FilterName) => boolean;
  readonly onChoose: (filters: Filters) => void;
}

/** Named filters, saved on the server per user. */
export function SavedViews({ filters, isOffered, onChoose }: SavedViewsProps): ReactNode {
  const client = useQueryClient();
  const { id: userId } = useUser();
  const { data: saved = [], error } = useQuery(views);
  const [name, setName] = useState('');
  const [unwanted, setUnwanted] = useState<Preference | null>(null);
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: views.queryKey });
  const path = { user_id: 'me' };
  const save = async (): Promise<void> => {
    const value = JSON.stringify(lastingFilters(filters));
    const body = [{ user_id: userId, category: CATEGORY, name: name.trim(), value }];
    await answerOf(api.PUT('/api/v4/users/{user_id}/preferences', { params: { path }, body }));
    setName('');
    await refresh();
  };
  const remove = async (view: Preference): Promise<void> => {
    await answerOf(
      api.POST('/api/v4/users/{user_id}/preferences/delete', { params: { path }, body: [view] }),
    );
    await refresh();
    setUnwanted(null);
  };
  const hasFilters = Object.keys(lastingFilters(filters)).length > 0;
  const offered = saved.filter(({ value }) =>
    Object.keys(filtersIn(value)).every((one) => isOffered(one as FilterName)),
  );
  const isKnown = saved.some((view) => view.name === name.trim());
  if (!error && offered.length === 0 && !hasFilters) return null;
  return (
    <div className="row" role="group" aria-label="Saved views">
      {error && <FaultNote error={error} />}
      {offered.map((view) => (
        <span key={view.name} className="joined">
          <Button variant="default" size="compact-xs" onClick={() => onChoose(filtersIn(view.value))}>
            {view.name}
          </Button>
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Remove the view ${view.name}`}
            onClick={() => setUnwanted(view)}
          >
            ×
          </Button>
        </span>
      ))}
      <Modal
        title={`Remove the view ${unwanted?.name ?? ''}?`}
        isOpen={unwanted !== null}
        onClose={() => setUnwanted(null)}
      >
        {unwanted && <Form action="Remove" isDangerous onSubmit={() => remove(unwanted)} />}
      </Modal>
      {hasFilters && (
        <details>
          <summary>Save these filters</summary>
          {saved.length >= MAX_VIEWS && !isKnown ? (
            <p>There are {MAX_VIEWS} views. Remove one first.</p>
          ) : (
            <Form action="Save" onSubmit={save}>
              <Field
                name="name"
                label="Name of the view"
                hint={isKnown && 'This replaces the view of the same name.'}
              >
                <TextInput
                  value={name}
                  maxLength={MAX_NAME_LENGTH}
                  required
                  onChange={({ target }) => setName(target.value)}
                />
              </Field>
            </Form>
          )}
        </details>
      )}
    </div>
  );
}

async function readViews(): Promise<Preference[]> {
  const path = { user_id: 'me' };
  const all = await answerOf(api.GET('/api/v4/users/{user_id}/preferences', { params: { path } }));
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
