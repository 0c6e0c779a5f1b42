import { Fragment, type ReactNode } from 'react';
import type { Attempt } from './delivery-queries';
import { stepsOf } from './timing';

/** Waterfall chart of an attempt: each step starts where the previous one ended. */
export function Waterfall({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const steps = stepsOf(attempt);
  if (steps.length === 0) return null;
  const total = Math.max(1, attempt.duration_ms);
  return (
    <>
      <h3>Where the time went</h3>
      <div className="waterfall">
        {steps.map(({ name, from, ms }) => (
          <Fragment key={name}>
            <span>{name}</span>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect className="base" width={100} height={1} />
              <Bar from={from / total} share={ms / total} />
            </svg>
            <span>{ms} ms</span>
          </Fragment>
        ))}
      </div>
    </>
  );
}

/** Minimum visible width. */
const LEAST_WIDTH = 0.6;

function Bar({ from, share }: { readonly from: number; readonly share: number }): ReactNode {
  const width = Math.max(LEAST_WIDTH, Math.min(1, share) * 100);
  return <rect className="bar" x={Math.min(from * 100, 100 - width)} width={width} height={1} />;
}
