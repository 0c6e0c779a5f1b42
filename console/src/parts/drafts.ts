import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { useUser } from '../app/session';

const PREFIX = 'hookline.draft.';

/** A text kept in session storage until it is emptied or the browser tab is closed. */
export function useDraft(key: string): [text: string, set: Dispatch<SetStateAction<string>>] {
  const { id: userId } = useUser();
  const place = `${PREFIX}${userId}.${key}`;
  const [text, setText] = useState(() => sessionStorage.getItem(place) ?? '');
  useEffect(() => {
    keep(place, text);
  }, [place, text]);
  return [text, setText];
}

/** If the storage is full, the text is kept only on the page. */
function keep(place: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, text);
  } catch {
    sessionStorage.removeItem(place); // the stored text is outdated
  }
}
