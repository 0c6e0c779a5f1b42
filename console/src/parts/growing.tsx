import { type ReactNode, useEffect, useState } from 'react';
import { useInSight } from './use-in-sight';

/** How many rows of a list come at a time. */
export const ROWS_AT_ONCE = 100;

interface GrowingProps<T> {
  readonly items: readonly T[];
  /** How many come at a time. */
  readonly step?: number;
  readonly children: (shown: readonly T[]) => ReactNode;
}

/** The start of a long list, and more of it as its end comes in sight: a page of thousands of rows would be slow. */
export function Growing<T>({ items, step = ROWS_AT_ONCE, children }: GrowingProps<T>): ReactNode {
  const [count, setCount] = useState(step);
  return (
    <>
      {children(items.slice(0, count))}
      {count < items.length && <End key={count} onSight={() => setCount(count + step)} />}
    </>
  );
}

interface EndProps {
  readonly onSight: () => void;
}

/** A new one for each end: whether it is in sight is known only once what comes before it stands. */
function End({ onSight }: EndProps): ReactNode {
  const [watch, isInSight] = useInSight();
  useEffect(() => {
    if (isInSight) onSight();
  }, [isInSight, onSight]);
  return <div ref={watch} />;
}
