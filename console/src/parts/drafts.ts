import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';

const PREFIX = 'hookline.draft.';

/** A text that is still there when one comes back to it, until it is emptied or the browser's tab is closed. */
export function useDraft(key: string): [text: string, set: Dispatch<SetStateAction<string>>] {
  const [text, setText] = useState(() => sessionStorage.getItem(PREFIX + key) ?? '');
  useEffect(() => {
    if (text === '') sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, text);
  }, [key, text]);
  return [text, setText];
}
