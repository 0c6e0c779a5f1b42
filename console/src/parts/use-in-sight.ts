import { useCallback, useState } from 'react';

/** What is this near to the part of the page that is seen counts as in sight. */
const NEAR = '300px';

/** What an element is given as its `ref`, and whether it is in sight. */
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
