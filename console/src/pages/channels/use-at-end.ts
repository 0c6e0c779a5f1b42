import { useCallback, useRef, useState } from 'react';

/** How near to the end of a list the reader counts as being there. */
export const NEAR_END = 48;

/** Whether the reader is at the end of a list, and what is to be called when it is scrolled. */
export function useAtEnd(): readonly [isAtEnd: boolean, scrolled: (list: HTMLElement) => void] {
  const [isAtEnd, setAtEnd] = useState(true);
  const top = useRef(0);
  /** The list may grow before it goes to its end: only who goes up leaves it. */
  const scrolled = useCallback(({ scrollHeight, scrollTop, clientHeight }: HTMLElement) => {
    if (scrollHeight - scrollTop - clientHeight <= NEAR_END) setAtEnd(true);
    else if (scrollTop < top.current) setAtEnd(false);
    top.current = scrollTop;
  }, []);
  return [isAtEnd, scrolled];
}
