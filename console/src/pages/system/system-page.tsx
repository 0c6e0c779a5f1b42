import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { Badge } from '../../parts/badge';
import { Loaded } from '../../parts/loaded';
import { PageHead } from '../../parts/page-head';
import { Time } from '../../parts/time';

const AUDITS = 60;

/** How the server is, and what was done on it. */
export function SystemPage(): ReactNode {
  const health = useQuery({ queryKey: ['health'], queryFn: readHealth, refetchInterval: 5_000 });
  const audits = useQuery({
    queryKey: ['audits'],
    queryFn: () => answerOf(api.GET('/api/v4/audits', { params: { query: { per_page: AUDITS } } })),
  });
  return (
    <>
      <PageHead title="System" />
      <h2>Health</h2>
      <Loaded query={health}>
        {(found) => (
          <dl className="facts">
            {Object.entries(found).map(([name, value]) => (
              <Fact key={name} name={name} value={value} />
            ))}
          </dl>
        )}
      </Loaded>
      <h2>What was done</h2>
      <Loaded query={audits}>
        {(rows) => (
          <div className="table">
            <table>
              <thead>
                <tr>
                  <th>When</th>
                  <th>What</th>
                  <th>Who</th>
                  <th>From</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.id}>
                    <td>
                      <Time at={row.create_at} />
                    </td>
                    <td>
                      {row.action} {row.result === 'fail' && <Badge tone="bad">{row.status_code}</Badge>}
                    </td>
                    <td>
                      <code>{row.user_id}</code>
                    </td>
                    <td>{row.ip_address}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: unknown }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value === 'ok' ? <Badge tone="good">ok</Badge> : <code>{JSON.stringify(value)}</code>}</dd>
    </>
  );
}

/** A server that is not ready says why, with a status of its own. */
async function readHealth(): Promise<Record<string, unknown>> {
  const response = await fetch(new URL('health/ready', document.baseURI));
  return (await response.json()) as Record<string, unknown>;
}
