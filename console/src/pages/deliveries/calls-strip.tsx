import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { OutcomeChart } from '../../parts/outcome-chart';
import { failedOf, inBars, shareOf } from '../../parts/outcomes';

interface CallsStripProps {
  readonly stats: Schemas['DeliveryStatsDto'];
  readonly bars: number;
  readonly label: string;
  /** Text shown if there are no calls. */
  readonly none: string;
  /** Human-readable time of a bar. */
  readonly timeOf: (start: number) => string;
}

/** Call statistics over a period: totals and a chart. */
export function CallsStrip({ stats, bars, label, none, timeOf }: CallsStripProps): ReactNode {
  const { points, totals } = stats;
  if (totals.delivered + failedOf(totals) + totals.given_up === 0) return <p className="muted">{none}</p>;
  return (
    <div className="figured">
      <Figures totals={totals} />
      <OutcomeChart outcomes={inBars(points, bars)} label={label} timeOf={timeOf} />
    </div>
  );
}

function Figures({ totals }: Pick<CallsStripProps['stats'], 'totals'>): ReactNode {
  const share = shareOf(totals.success_per_million);
  return (
    <dl className="figures">
      <Figure name="delivered" tone="good" value={counted(totals.delivered)} />
      <Figure name="failed" tone="bad" value={counted(failedOf(totals))} />
      {share !== '' && <Figure name="success" value={share} />}
      {totals.given_up > 0 && <Figure name="deliveries failed" value={counted(totals.given_up)} />}
      {totals.p50_ms !== null && <Figure name="median" value={timeInShort(totals.p50_ms)} />}
      {totals.p99_ms !== null && <Figure name="p99" value={timeInShort(totals.p99_ms)} />}
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly tone?: 'good' | 'bad';
}

function Figure({ name, value, tone }: FigureProps): ReactNode {
  return (
    <div>
      <dt className={tone && `key ${tone}`}>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const counted = (count: number): string => count.toLocaleString();

/** Formats a duration, such as 12 ms or 3.8 s. */
export const timeInShort = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);
