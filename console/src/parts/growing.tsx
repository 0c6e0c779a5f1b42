import { type ReactNode, useEffect, useState } from 'react';
import { useInSight } from './use-in-sight';

/** Number of rows added at a time. */
export const ROWS_AT_ONCE = 100;

interface GrowingProps<T> {
  readonly items: readonly T[];
  /** Number of items added at a time. */
  readonly step?: number;
  readonly children: (shown: readonly T[]) => ReactNode;
}

/** Renders a long list in steps as its end scrolls into view; thousands of rows would be slow. */
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

/** Keyed per step: visibility is known only after the rows above are laid out. */
function End({ onSight }: EndProps): ReactNode {
  const [watch, isInSight] = useInSight();
  useEffect(() => {
    if (isInSight) onSight();
  }, [isInSight, onSight]);
  return <div ref={watch} />;
}
