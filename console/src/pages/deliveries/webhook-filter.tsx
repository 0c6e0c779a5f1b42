import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Picker, type PickerOption } from '../../parts/picker';
import { readOutgoingHooks } from '../outgoing/outgoing-queries';

const MAX_OFFERED = 50;

/** Ids of all webhooks by name; duplicate names get their id appended. */
const names = queryOptions({
  queryKey: ['outgoing', 'names'],
  queryFn: async () => {
    const byName = new Map<string, string>();
    for (const { id, display_name: name } of await readOutgoingHooks({}))
      byName.set(name === '' || byName.has(name) ? `${name || 'Unnamed'} (${id})` : name, id);
    return byName;
  },
  staleTime: 60_000,
});

/** Picks a webhook by a part of its name. */
export function WebhookFilter({ onChoose }: { readonly onChoose: (hookId: string) => void }): ReactNode {
  const client = useQueryClient();
  const find = async (term: string): Promise<PickerOption[]> => {
    const wanted = term.toLowerCase();
    const all = [...(await client.fetchQuery(names))];
    return all
      .filter(([name]) => name.toLowerCase().includes(wanted))
      .slice(0, MAX_OFFERED)
      .map(([label, value]) => ({ value, label }));
  };
  return (
    <Picker
      size="xs"
      label="Webhook"
      placeholder="Part of its name"
      queryKey={[...names.queryKey, 'found']}
      find={find}
      value=""
      onChange={onChoose}
    />
  );
}
