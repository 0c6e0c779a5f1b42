import { type Icon, IconBolt, IconHistory } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useCommands } from './commands';
import { actionsFor, groupsFor, pageAt, subPagesFor, type Target } from './pages';
import { useRecent } from './recent';
import { useRights } from './rights';
import { useRecords } from './use-places';

/** What the palette offers. */
export interface Entry {
  readonly key: string;
  readonly title: string;
  /** Distinguishes it from others with the same title. */
  readonly note: string;
  readonly icon?: Icon;
  readonly act: () => void;
}

export interface EntryGroup {
  readonly title: string;
  readonly entries: readonly Entry[];
}

interface Entries {
  readonly groups: readonly EntryGroup[];
  /** What is still missing, in words. */
  readonly state: string;
}

/** Finds pages and actions at once, and records as they load. Without a text, recent records come first. */
export function useEntries(typed: string, onKeys: () => void): Entries {
  const navigate = useNavigate();
  const rights = useRights();
  const recent = useRecent();
  const commands = useCommands(onKeys);
  const records = useRecords(typed);
  const text = typed.trim().toLowerCase();
  const pages = groupsFor(rights).flatMap((group) => group.pages);
  const targetOf = ({ to, search, title }: Target): Entry => {
    const page = pageAt(to)?.page;
    return {
      ...{ key: title, title, note: '', ...(page && { icon: page.icon }) },
      act: () => void navigate({ to, search }),
    };
  };
  const groups: readonly EntryGroup[] = [
    {
      title: 'Recent',
      entries: (text === '' ? recent : []).map(({ href, title, note }) => ({
        ...{ key: href, title, note, icon: IconHistory },
        act: () => void navigate({ href }),
      })),
    },
    {
      title: 'Pages',
      entries: [
        ...pages.map(({ to, title, heading = title, icon }) => ({
          ...{ key: to, title: heading, note: '', icon },
          act: () => void navigate({ to }),
        })),
        ...(text === '' ? [] : subPagesFor(rights)).map(targetOf),
      ].filter(isNamed(text)),
    },
    ...records.groups.map(({ title: kind, places }) => ({
      title: kind,
      entries: places.map(({ key, title, note, target }) => ({
        ...{ key, title, note },
        act: () => void navigate(target),
      })),
    })),
    {
      title: 'Actions',
      entries: [
        ...actionsFor(rights).map(targetOf),
        ...(text === '' ? [] : commands).map(({ title, act }) => ({ key: title, title, note: '', act })),
      ]
        .map((entry) => ({ ...entry, icon: IconBolt }))
        .filter(isNamed(text)),
    },
  ];
  const shown = groups.filter(({ entries }) => entries.length > 0);
  return { groups: shown, state: stateOf(records, text !== '' && shown.length === 0) };
}

const isNamed =
  (text: string) =>
  ({ title }: { readonly title: string }): boolean =>
    text.split(/\s+/).every((word) => title.toLowerCase().includes(word));

function stateOf({ isSearching, failed }: ReturnType<typeof useRecords>, isNone: boolean): string {
  if (isSearching) return 'Searching…';
  if (failed.length > 0) return `Could not search: ${failed.join(', ')}.`;
  return isNone ? 'No results.' : '';
}
