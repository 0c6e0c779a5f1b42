import { useCallback, useRef, useState } from 'react';

/** Within this many pixels of the end, the user counts as being at the end. */
export const NEAR_END = 48;

/** Whether the user is at the end of a list, and the scroll handler to call. */
export function useAtEnd(): readonly [isAtEnd: boolean, scrolled: (list: HTMLElement) => void] {
  const [isAtEnd, setAtEnd] = useState(true);
  const top = useRef(0);
  /** The list may grow before it scrolls to its end; only scrolling up leaves the end. */
  const scrolled = useCallback(({ scrollHeight, scrollTop, clientHeight }: HTMLElement) => {
    if (scrollHeight - scrollTop - clientHeight <= NEAR_END) setAtEnd(true);
    else if (scrollTop < top.current) setAtEnd(false);
    top.current = scrollTop;
  }, []);
  return [isAtEnd, scrolled];
}
