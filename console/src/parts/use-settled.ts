import { useEffect, useState } from 'react';

const AFTER_MS = 250;

/** What a value is once it has not changed for a moment: what is asked as one types is not asked with each letter. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), AFTER_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
