import { Fragment, type ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import { ExactTime } from '../../parts/time';
import { useUsernames } from '../../parts/usernames';
import { actionInWords } from './actions';
import type { AuditRow } from './system-queries';

/** The last moment that a date can have. */
const LAST_DATE = 8_640_000_000_000_000;

/** Rows of the audit log: who did what, to what, and with which result. */
export function AuditTable({ rows }: { readonly rows: readonly AuditRow[] }): ReactNode {
  const nameOf = useUsernames(rows.map((row) => row.user_id));
  if (rows.length === 0) return <p className="empty">Nothing of this kind was done.</p>;
  return (
    <div className="table" role="region" aria-label="Audit log" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>When</th>
            <th>Who</th>
            <th>What</th>
            <th>To what</th>
            <th>Result</th>
            <th>From</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="nowrap">
                <ExactTime at={row.create_at} />
              </td>
              <td>
                {row.user_id === '' ? <span className="muted">nobody signed in</span> : nameOf(row.user_id)}
              </td>
              <td>
                {actionInWords(row.action)} <small className="muted">{row.action}</small>
              </td>
              <td className="long">
                <code>{row.target}</code>
                <Parameters of={row.parameters} />
              </td>
              <td>
                <Badge tone={row.result === 'fail' ? 'bad' : 'good'}>
                  {row.result === 'fail' ? `refused, ${row.status_code}` : 'done'}
                </Badge>{' '}
                {row.error_id && <small className="muted">{row.error_id}</small>}
              </td>
              <td className="nowrap">{row.ip_address}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Parameters({ of }: { readonly of: Readonly<Record<string, unknown>> }): ReactNode {
  const entries = Object.entries(of);
  if (entries.length === 0) return null;
  return (
    <details>
      <summary>Parameters</summary>
      <dl className="facts">
        {entries.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{isTime(name, value) ? <ExactTime at={Number(value)} /> : String(value)}</dd>
          </Fragment>
        ))}
      </dl>
    </details>
  );
}

/** Milliseconds of a date; 0 stands for none. */
const isTime = (name: string, value: unknown): boolean =>
  name.endsWith('_at') && Number(value) > 0 && Number(value) <= LAST_DATE;
