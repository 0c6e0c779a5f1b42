import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { useUser } from '../app/session';

const PREFIX = 'hookline.draft.';

/** A text that is still there when its author comes back to it, until it is emptied or the browser's tab is closed. */
export function useDraft(key: string): [text: string, set: Dispatch<SetStateAction<string>>] {
  const { id: userId } = useUser();
  const place = `${PREFIX}${userId}.${key}`;
  const [text, setText] = useState(() => sessionStorage.getItem(place) ?? '');
  useEffect(() => {
    if (text === '') sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, text);
  }, [place, text]);
  return [text, setText];
}
