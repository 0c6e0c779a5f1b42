import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { useUser } from '../app/session';

const PREFIX = 'hookline.draft.';

/** A text that is still there when its author comes back to it, until it is emptied or the browser's tab is closed. */
export function useDraft(key: string): [text: string, set: Dispatch<SetStateAction<string>>] {
  const { id: userId } = useUser();
  const place = `${PREFIX}${userId}.${key}`;
  const [text, setText] = useState(() => sessionStorage.getItem(place) ?? '');
  useEffect(() => {
    keep(place, text);
  }, [place, text]);
  return [text, setText];
}

/** A text that the browser has no room for is only on the page. */
function keep(place: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, text);
  } catch {
    sessionStorage.removeItem(place); // what is kept is older
  }
}
