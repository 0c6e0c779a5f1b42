import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

const ANSWERED_BY_MS = 50;
/** Do not wait longer than this for slow or failing parts. */
const AT_LATEST_MS = 1_000;

/**
 * Whether the initial requests of a page are done, or late. Rendering the parts one by one would shift the
 * layout while the user reads.
 */
export function useFirstLoad(): boolean {
  const running = useIsFetching();
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (running > 0) return undefined;
    const timer = setTimeout(() => setDone(true), ANSWERED_BY_MS); // responses may trigger more requests
    return () => clearTimeout(timer);
  }, [running]);
  useEffect(() => {
    const timer = setTimeout(() => setDone(true), AT_LATEST_MS);
    return () => clearTimeout(timer);
  }, []);
  return isDone;
}
