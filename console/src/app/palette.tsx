import { Kbd, Modal, Text } from '@mantine/core';
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId } from 'react';
import { type Entry, type EntryGroup, useEntries } from './palette-entries';
import { useHasEnded } from './session';

/** Controls that take typed letters, or use them to select. */
const FIELDS = 'textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=submit])';

const [paletteStore, palette] = createSpotlight();

/** Opens the palette. */
export const openPalette = palette.open;

interface PaletteProps {
  readonly areKeysShown: boolean;
  readonly onKeys: (areShown: boolean) => void;
}

/** Finds pages, actions and records by `Ctrl+K`; `/` searches the page, and `?` lists the shortcuts. */
export function Palette({ areKeysShown, onKeys }: PaletteProps): ReactNode {
  const hasEnded = useHasEnded();
  const place = useLocation({ select: ({ href }) => href });
  useEffect(() => {
    palette.close();
    onKeys(false);
  }, [place, hasEnded, onKeys]);
  useEffect(() => {
    if (hasEnded) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '?') onKeys(true);
      else if (event.key !== '/' || !searchPage()) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [hasEnded, onKeys]);
  return (
    <>
      <Spotlight.Root
        store={paletteStore}
        disabled={hasEnded}
        tagsToIgnore={[]}
        triggerOnContentEditable
        centered={false}
        overlayProps={{ backgroundOpacity: 0.3, blur: 2 }}
        styles={{ actionDescription: { opacity: 1 } }}
        attributes={{ content: { 'aria-label': 'Go to' } }}
      >
        <Content onKeys={() => onKeys(true)} />
      </Spotlight.Root>
      <Modal title="Keyboard shortcuts" opened={areKeysShown} onClose={() => onKeys(false)} size="sm">
        <dl className="keys">
          <dt>
            <Kbd>Ctrl</Kbd> <Kbd>K</Kbd>
          </dt>
          <dd>Go to a page or a record, or run an action</dd>
          <dt>
            <Kbd>/</Kbd>
          </dt>
          <dd>Search on this page</dd>
          <dt>
            <Kbd>?</Kbd>
          </dt>
          <dd>Show these shortcuts</dd>
        </dl>
      </Modal>
    </>
  );
}

const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS));

/** Focuses the search field of the page; returns false if the page has none. */
function searchPage(): boolean {
  const field = document.querySelector<HTMLElement>('main input[type=search]');
  field?.focus();
  return field !== null;
}

function Content({ onKeys }: { readonly onKeys: () => void }): ReactNode {
  const { query, selected } = useSpotlight(paletteStore);
  const { groups, state } = useEntries(query, onKeys);
  const id = useId();
  const listId = `${id}list`;
  const entries = groups.flatMap((group) => group.entries);
  const shown = entries.map(({ key }) => key).join(' ');
  useEffect(() => keepSelection(listId), [shown, listId]);
  const current = entries[selected];
  return (
    <>
      <Spotlight.Search
        role="combobox"
        aria-label="Go to"
        aria-expanded={entries.length > 0}
        aria-controls={listId}
        aria-activedescendant={current && idOf(id, current)}
        aria-autocomplete="list"
        maxLength={100}
        placeholder="Search pages, webhooks, channels and actions"
        leftSection={<IconSearch size={18} stroke={1.6} />}
        size="md"
        onKeyDown={() => queueMicrotask(tellSelection)}
      />
      <Spotlight.ActionsList id={listId} role="listbox" aria-label="Places" mah="min(60vh, 480px)">
        {groups.map((group) => (
          <Group key={group.title} group={group} id={id} current={current} />
        ))}
      </Spotlight.ActionsList>
      <Text role="status" size="sm" c="dimmed" className="palette-state">
        {state}
      </Text>
    </>
  );
}

/** Without spaces, which would end a reference to it. */
const idOf = (list: string, { key }: Entry): string => list + key.replaceAll(' ', '-');

interface GroupProps {
  readonly group: EntryGroup;
  readonly id: string;
  readonly current: Entry | undefined;
}

function Group({ group: { title, entries }, id, current }: GroupProps): ReactNode {
  return (
    <Spotlight.ActionsGroup label={title} role="group" aria-label={title}>
      {entries.map((entry) => (
        <Spotlight.Action
          key={entry.key}
          renderRoot={(props) => <button {...props} id={idOf(id, entry)} />} // the library keeps an id for itself
          role="option"
          aria-selected={entry === current}
          label={entry.title || 'Unnamed'}
          description={entry.note}
          leftSection={entry.icon && <entry.icon size={18} stroke={1.6} />}
          onClick={entry.act}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

/** The library selects by keys without a new render, which assistive technology needs to be told about it. */
const tellSelection = (): void => paletteStore.setState({ ...paletteStore.getState() });

/** The list has changed: keeps the selected entry if it is still there, else selects the first. */
function keepSelection(listId: string): void {
  const options = [...document.querySelectorAll(`#${CSS.escape(listId)} [role=option]`)];
  const at = Math.max(
    options.findIndex((option) => option.hasAttribute('data-selected')),
    0,
  );
  options[at]?.setAttribute('data-selected', 'true'); // as the library does
  paletteStore.setState({ ...paletteStore.getState(), selected: at });
}
