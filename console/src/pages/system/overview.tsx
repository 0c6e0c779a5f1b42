import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { Badge } from '../../parts/badge';
import { Loaded } from '../../parts/loaded';
import { Time } from '../../parts/time';
import { connections } from '../connections/connection-queries';
import { Overdue } from '../home/overdue';
import { worstEndpoints } from '../home/worst-endpoints';
import { type Health, health, queue, type Queue, settingsInForce } from './system-queries';

/** Server health, waiting calls, connected servers, and the process. */
export function Overview(): ReactNode {
  const found = useQuery(health);
  const waiting = useQuery(queue);
  const late = useQuery(worstEndpoints);
  const inForce = useQuery(settingsInForce);
  return (
    <>
      <h2>Health</h2>
      <Loaded query={found}>{(one) => <HealthText health={one} />}</Loaded>
      <h2>Waiting calls</h2>
      <Loaded query={waiting}>{(one) => <QueueText queue={one} />}</Loaded>
      {waiting.data?.count !== 0 && <Loaded query={late}>{(one) => <LateText found={one} />}</Loaded>}
      <Peers />
      <h2>Process</h2>
      <Loaded query={inForce}>{({ process }) => <ProcessFacts process={process} />}</Loaded>
    </>
  );
}

function HealthText({ health: { isReady, problems } }: { readonly health: Health }): ReactNode {
  const isWell = isReady && problems.length === 0;
  return (
    <div role="status">
      <Badge tone={isReady ? (isWell ? 'good' : 'warning') : 'bad'}>
        {isReady ? (isWell ? 'ready' : 'ready, with warnings') : 'not ready'}
      </Badge>{' '}
      {isWell && 'The database responds, and the server accepts calls.'}
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </div>
  );
}

function QueueText({ queue: { count, isCut, oldestAt } }: { readonly queue: Queue }): ReactNode {
  if (count === 0) return <p>No calls of outgoing webhooks are waiting.</p>;
  return (
    <p>
      <Link to="/deliveries" search={{ status: 'pending' }}>
        {count}
        {isCut && ' or more'} {count === 1 ? 'call' : 'calls'} of outgoing webhooks
      </Link>{' '}
      {count === 1 ? 'is' : 'are'} waiting
      {isCut ? (
        <>
          ; the console counts no further, but the metric <code>hookline_deliveries_open</code> does.
        </>
      ) : (
        <>
          , the oldest created <Time at={oldestAt} isInText />.
        </>
      )}
    </p>
  );
}

/** Whether waiting calls are overdue, not just waiting for their next attempt. */
function LateText({ found }: { readonly found: Schemas['EndpointListDto'] }): ReactNode {
  return found.overdue_count > 0 ? <Overdue found={found} /> : <p>None of them is overdue.</p>;
}

function Peers(): ReactNode {
  const { data: peers = [] } = useQuery(connections);
  const away = peers.filter(({ standing }) => standing === 'offline').length;
  const online = peers.filter(({ standing }) => standing === 'online').length;
  if (away + online === 0) return null;
  return (
    <p>
      <Link to="/connections">Connected servers</Link>: {online} online
      {away > 0 && `, ${away} offline`}.
    </p>
  );
}

function ProcessFacts({ process }: { readonly process: Schemas['ServerProcessDto'] }): ReactNode {
  return (
    <dl className="facts">
      <dt>Version</dt>
      <dd>
        Hookline {process.version}, on Node.js {process.node_version}
      </dd>
      <dt>Mode</dt>
      <dd>
        {process.is_one_of_several
          ? 'One of several processes on one database'
          : 'The only process on its database'}
      </dd>
      <dt>Database</dt>
      <dd>{process.database === 'sqlite' ? 'SQLite, in the data folder' : 'MySQL or MariaDB'}</dd>
      <dt>Process</dt>
      <dd>
        {process.process_id}
        {process.worker > 0 && `, worker ${process.worker}`}, started{' '}
        <Time at={process.started_at} isInText />
      </dd>
    </dl>
  );
}
