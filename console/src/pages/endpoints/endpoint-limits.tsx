import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../parts/badge';
import { ExactTime, Time } from '../../parts/time';
import type { Limits } from './endpoint-queries';

type Change = Limits['changes'][number];

const TONES: Readonly<Record<Limits['standing'], Tone>> = {
  trusted: 'good',
  unknown: 'quiet',
  suspect: 'warning',
};
const STANDINGS: Readonly<Record<Limits['standing'], string>> = {
  trusted: 'answers quickly',
  unknown: 'not known yet',
  suspect: 'fails or hangs',
};
const WHY: Readonly<Record<Change['why'], string>> = {
  answered: 'Answered',
  failed: 'Responded with an error, or too late',
  unreachable: 'Could not be reached',
  slow: 'A call took longer than 2 s, or had a large reply',
  spared: 'Too many failures in a row: paused for a while',
  resumed: 'Called again after the pause',
  forgotten: 'Not called for ten minutes: limit reset',
};

/** Concurrency limit of an endpoint, and how it changed. */
export function EndpointLimits({ limits }: { readonly limits: Limits }): ReactNode {
  return (
    <section aria-label="Limit of calls">
      <h2>Limit of calls</h2>
      <p>
        {limits.running === 1 ? '1 call is running' : `${limits.running} calls are running`}. It currently
        gets up to <b>{limits.now}</b> at a time, of at most {limits.most}.{' '}
        <Badge tone={TONES[limits.standing]}>{STANDINGS[limits.standing]}</Badge>{' '}
        {limits.paused_until > 0 && (
          <>
            <Badge tone="warning">paused</Badge> until <ExactTime at={limits.paused_until} />
          </>
        )}
      </p>
      {limits.changes.length === 0 ? (
        <p className="muted">The limit has not changed for a day.</p>
      ) : (
        <div className="table" role="region" aria-label="Changes of the limit" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>When</th>
                <th>What happened</th>
                <th>Times</th>
                <th>Calls at a time</th>
                <th>Afterwards</th>
              </tr>
            </thead>
            <tbody>
              {limits.changes.map((change) => (
                <tr key={`${change.at} ${change.why}`}>
                  <td>
                    <Time at={change.at} />
                  </td>
                  <td>{WHY[change.why]}</td>
                  <td>{change.times}</td>
                  <td>
                    {change.from} → {change.to}
                  </td>
                  <td>{STANDINGS[change.standing]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
