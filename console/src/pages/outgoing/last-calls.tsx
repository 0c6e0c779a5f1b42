import type { ReactNode } from 'react';
import { SmallBars } from '../../parts/small-bars';
import type { HookOutcomes } from './outgoing-queries';

interface LastCallsProps {
  readonly outcomes: HookOutcomes | undefined;
  /** Whether the server has answered: a webhook that it left out has counts that the user may not see. */
  readonly isAnswered: boolean;
}

/** How the calls of a webhook went on the last day, in a place of the same size whatever there is to show. */
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
    <SmallBars delivered={delivered} failed={failed} label={`Last day: ${good} delivered, ${bad} failed`} />
  );
}

function Quiet({ text }: { readonly text: string }): ReactNode {
  return <span className="muted">{text}</span>;
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
