import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import type { Page, Place } from './record-queries';
import { type PlaceGroup, useRecords } from './use-places';

interface GoToProps {
  readonly pages: readonly Page[];
  readonly onGone: () => void;
}

/** Finds pages instantly and records as they load. Arrow keys select, Enter opens. */
export function GoTo({ pages, onGone }: GoToProps): ReactNode {
  const [text, setText] = useState('');
  const [chosen, choose] = useState('');
  const list = useId();
  const navigate = useNavigate();
  const records = useRecords(text);
  const groups = [pagesNamed(pages, text), ...records.groups].filter(({ places }) => places.length > 0);
  const places = groups.flatMap((group) => group.places);
  const at = Math.max(
    places.findIndex(({ key }) => key === chosen),
    0,
  );
  const current = places[at];
  const go = ({ target }: Place): void => {
    onGone();
    void navigate(target);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && current) go(current);
    else if (event.key === 'ArrowDown') choose(places[(at + 1) % places.length]?.key ?? '');
    else if (event.key === 'ArrowUp') choose(places.at(at - 1)?.key ?? '');
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Go to"
        aria-expanded={places.length > 0}
        aria-controls={list}
        aria-activedescendant={current && list + current.key}
        aria-autocomplete="list"
        autoComplete="off"
        maxLength={100}
        placeholder="A page, webhook, channel, or another name"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          choose('');
        }}
        onKeyDown={press}
        autoFocus
      />
      <div id={list} role="listbox" aria-label="Places" className="choices">
        {groups.map((group) => (
          <Group key={group.title} group={group} list={list} current={current} onChoose={go} />
        ))}
      </div>
      <p role="status" className="muted">
        {stateOf(records, text !== '' && places.length === 0)}
      </p>
    </>
  );
}

interface GroupProps {
  readonly group: PlaceGroup;
  readonly list: string;
  readonly current: Place | undefined;
  readonly onChoose: (place: Place) => void;
}

function Group({ group: { title, places }, list, current, onChoose }: GroupProps): ReactNode {
  return (
    <div role="group" aria-label={title}>
      <small className="muted" aria-hidden="true">
        {title}
      </small>
      {places.map((place) => (
        <div
          key={place.key}
          id={list + place.key}
          ref={place === current ? showIt : undefined}
          role="option"
          aria-selected={place === current}
          onMouseDown={(event) => event.preventDefault()} // keep the focus in the text field
          onClick={() => onChoose(place)}
        >
          {place.title || 'Unnamed'} <span className="muted">{place.note}</span>
        </div>
      ))}
    </div>
  );
}

const showIt = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' });

function pagesNamed(pages: readonly Page[], text: string): PlaceGroup {
  const wanted = text.trim().toLowerCase();
  const found = pages.filter(({ title }) => title.toLowerCase().includes(wanted));
  return {
    title: 'Pages',
    places: found.map(({ to, title }): Place => ({ key: to, title, note: '', target: { to } })),
  };
}

function stateOf({ isSearching, failed }: ReturnType<typeof useRecords>, isNone: boolean): string {
  if (isSearching) return 'Searching…';
  if (failed.length > 0) return `Could not search: ${failed.join(', ')}.`;
  return isNone ? 'No matches.' : '';
}
