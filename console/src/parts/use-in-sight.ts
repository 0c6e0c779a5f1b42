import { useCallback, useState } from 'react';

/** Elements this close to the viewport count as visible. */
const NEAR = '300px';

/** Returns a callback ref for an element, and whether it is visible. */
export function useInSight(): readonly [(element: Element | null) => (() => void) | undefined, boolean] {
  const [isInSight, setInSight] = useState(false);
  const watch = useCallback((element: Element | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      (changes) => setInSight(changes.at(-1)?.isIntersecting ?? false),
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [watch, isInSight];
}
