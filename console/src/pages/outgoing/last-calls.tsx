import type { ReactNode } from 'react';
import { OutcomeTrend } from '../../parts/trend';
import type { HookOutcomes } from './outgoing-queries';

interface LastCallsProps {
  readonly outcomes: HookOutcomes | undefined;
  /** Whether the server responded: it omits webhooks whose counts the user may not see. */
  readonly isAnswered: boolean;
}

/** Last-day calls of a webhook, in a fixed-size box. */
export function LastCalls({ outcomes, isAnswered }: LastCallsProps): ReactNode {
  return (
    <div className="small-chart">
      {outcomes ? <Chart {...outcomes} /> : isAnswered && <Quiet text="not shown" />}
    </div>
  );
}

function Chart({ delivered, failed }: HookOutcomes): ReactNode {
  const [good, bad] = [sumOf(delivered), sumOf(failed)];
  if (good + bad === 0) return <Quiet text="no calls" />;
  return (
    <OutcomeTrend
      delivered={delivered}
      failed={failed}
      label={`Last day: ${good} delivered, ${bad} failed`}
    />
  );
}

function Quiet({ text }: { readonly text: string }): ReactNode {
  return <span className="muted">{text}</span>;
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
