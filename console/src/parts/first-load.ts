import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

const ANSWERED_BY_MS = 50;
/** Longer than that nobody waits for the slowest part, nor for one that fails. */
const AT_LATEST_MS = 1_000;

/**
 * Whether what a page asks for first has come, or is late. Parts of a page that are shown one after the other push each other down while
 * somebody reads.
 */
export function useFirstLoad(): boolean {
  const running = useIsFetching();
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (running > 0) return undefined;
    const timer = setTimeout(() => setDone(true), ANSWERED_BY_MS); // what was read may ask for more
    return () => clearTimeout(timer);
  }, [running]);
  useEffect(() => {
    const timer = setTimeout(() => setDone(true), AT_LATEST_MS);
    return () => clearTimeout(timer);
  }, []);
  return isDone;
}
