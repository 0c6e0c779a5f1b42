import { useEffect, useState } from 'react';

const AFTER_MS = 250;

/** Debounces a value, so that typing does not send a request per keystroke. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), AFTER_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
