import { Fragment, type ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import { Table } from '../../parts/table';
import { ExactTime } from '../../parts/time';
import { useUsernames } from '../../parts/usernames';
import { describeAction, targetsOf } from './actions';
import { AuditTarget } from './audit-target';
import type { AuditRow } from './system-queries';
import { useTargetNames } from './target-names';

/** Largest valid Date value. */
const LAST_DATE = 8_640_000_000_000_000;

/** Audit log rows: the user, action, target, and result. */
export function AuditTable({ rows }: { readonly rows: readonly AuditRow[] }): ReactNode {
  const nameOf = useUsernames(rows.map((row) => row.user_id));
  const find = useTargetNames(rows.flatMap(targetsOf));
  if (rows.length === 0) return <p className="empty">No entries match.</p>;
  return (
    <section aria-label="Audit log">
      <Table heads={['When', 'Who', 'What', 'Target', 'Result', 'From']}>
        {rows.map((row) => (
          <tr key={row.id}>
            <td className="nowrap">
              <ExactTime at={row.create_at} hasMs={false} />
            </td>
            <td className="nowrap">
              <Who row={row} name={nameOf(row.user_id)} />
            </td>
            <td>
              <Details row={row} />
            </td>
            <td className="long">
              <AuditTarget row={row} find={find} />
            </td>
            <td className="nowrap">
              {row.result === 'fail' ? (
                <Badge tone="bad">refused, {row.status_code}</Badge>
              ) : (
                <span className="muted">done</span>
              )}
            </td>
            <td className="nowrap">{row.ip_address}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

/** Actions of the server itself have no user and no IP address. */
function Who({ row, name }: { readonly row: AuditRow; readonly name: string }): ReactNode {
  if (row.user_id !== '') return name;
  return row.ip_address === '' ? 'Hookline' : <span className="muted">not signed in</span>;
}

function Details({ row }: { readonly row: AuditRow }): ReactNode {
  const facts = {
    at: row.create_at,
    action: row.action,
    target: row.target,
    error_id: row.error_id,
    request_id: row.request_id,
    ip_address: row.ip_address,
    ...row.parameters,
  };
  return (
    <details>
      <summary>{describeAction(row.action) || row.action}</summary>
      <dl className="facts">
        {Object.entries(facts)
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{isTime(name, value) ? <ExactTime at={Number(value)} /> : String(value)}</dd>
            </Fragment>
          ))}
      </dl>
    </details>
  );
}

/** Whether a value is a timestamp in milliseconds; 0 means not set. */
const isTime = (name: string, value: unknown): boolean =>
  (name === 'at' || name.endsWith('_at')) && Number(value) > 0 && Number(value) <= LAST_DATE;
