import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { FaultNote } from '../../parts/fault-note';
import { isPick } from '../../parts/text-filter';
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

/**
 * Selects a webhook by name, with suggestions for partial names. A name that is a prefix of other names is
 * only selected on Enter, so that the longer ones can still be typed.
 */
export function WebhookFilter({ onChoose }: { readonly onChoose: (hookId: string) => void }): ReactNode {
  const [text, setText] = useState('');
  const [isWanted, setWanted] = useState(false);
  const [isUnknown, setUnknown] = useState(false);
  const { data: all, error } = useQuery({ ...names, enabled: isWanted });
  const list = useId();
  const choose = (entered: string): void => {
    const id = all?.get(entered);
    setText(id === undefined ? entered : '');
    setUnknown(all !== undefined && entered !== '' && id === undefined);
    if (id !== undefined) onChoose(id);
  };
  const change = (entered: string, isPicked: boolean): void => {
    const mayGoOn = [...(all?.keys() ?? [])].some((name) => name !== entered && name.startsWith(entered));
    setUnknown(false);
    if (isPicked || (!mayGoOn && all?.has(entered))) choose(entered);
    else setText(entered);
  };
  return (
    <>
      <label className="choice">
        <span>Webhook</span>
        <input
          type="search"
          list={list}
          placeholder="part of its name"
          value={text}
          onFocus={() => setWanted(true)}
          onChange={({ target, nativeEvent }) => change(target.value, isPick(nativeEvent))}
          onKeyDown={({ key }) => key === 'Enter' && choose(text)}
        />
        <datalist id={list}>
          {offered(all ?? new Map(), text).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      {error && <FaultNote error={error} />}
      {isUnknown && <small role="status">No webhooks match.</small>}
    </>
  );
}

function offered(all: ReadonlyMap<string, string>, text: string): string[] {
  const wanted = text.toLowerCase();
  const found: string[] = [];
  for (const name of all.keys()) {
    if (found.length === MAX_OFFERED) break;
    if (name.toLowerCase().includes(wanted)) found.push(name);
  }
  return found;
}
