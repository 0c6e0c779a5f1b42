import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdmin, useUser } from '../../app/session';
import { FaultNote } from '../../parts/fault-note';
import { useFirstLoad } from '../../parts/first-load';
import { Loading } from '../../parts/loading';
import { Loaded } from '../../parts/loaded';
import { PageHead } from '../../parts/page-head';
import { isRefused, WebhooksRefused } from '../../parts/refused';
import { myTeams, TeamPicker, useTeam } from '../../parts/team-picker';
import { LastDay } from '../deliveries/last-day';
import { incomingHooks } from '../incoming/incoming-queries';
import { type OutgoingHook, outgoingHooks } from '../outgoing/outgoing-queries';
import { Attention } from './attention';
import { FirstSteps } from './first-steps';
import { useConcerns } from './use-concerns';

/** Home page: what needs attention, and the first steps. */
export function HomePage(): ReactNode {
  const [teamId, choose] = useTeam();
  const isLoaded = useFirstLoad();
  const outgoing = useQuery(outgoingHooks(teamId));
  const incoming = useQuery(incomingHooks(teamId));
  const isUsed = incoming.data?.some(({ last_used: at }) => at > 0) ?? false;
  return (
    <>
      <PageHead title="Overview">
        <TeamPicker teamId={teamId} onChoose={choose} />
      </PageHead>
      {!isLoaded && <Loading />}
      <div hidden={!isLoaded}>
        <Server teamId={teamId} hooks={outgoing} isFresh={incoming.isSuccess && !isUsed} />
        {isRefused(outgoing.error) ? (
          <WebhooksRefused>
            <p>
              Their messages are in the <Link to="/channels">Channels</Link>.
            </p>
          </WebhooksRefused>
        ) : (
          <Loaded query={outgoing}>{() => null}</Loaded>
        )}
        {incoming.error && !isRefused(incoming.error) && <FaultNote error={incoming.error} />}
        {incoming.data && outgoing.data && (
          <FirstSteps key={teamId} hooks={incoming.data} isDone={isUsed && outgoing.data.length > 0} />
        )}
      </div>
    </>
  );
}

interface ServerProps {
  readonly teamId: string;
  /** The outgoing webhooks of the team. */
  readonly hooks: UseQueryResult<readonly OutgoingHook[]>;
  /** Whether no incoming webhook of the team has been used yet. */
  readonly isFresh: boolean;
}

/** What needs attention, and all deliveries for administrators; empty on an unused server. */
function Server({ teamId, hooks, isFresh }: ServerProps): ReactNode {
  const mayReadAll = isAdmin(useUser());
  const { data: teams = [] } = useQuery(myTeams);
  const found = useConcerns(hooks);
  if (!mayReadAll && !hooks.data) return null;
  if (isFresh && found.hasNoEndpoints && found.concerns.length === 0) return null;
  const team = teams.length > 1 ? teams.find(({ id }) => id === teamId)?.display_name : undefined;
  const all = team === undefined ? '' : 'on the whole server';
  const scope =
    mayReadAll && team !== undefined ? `${all}; paused webhooks of ${team}` : team && `in ${team}`;
  return (
    <>
      <Attention found={found} scope={scope ?? ''} />
      {mayReadAll && (
        <section aria-label="Calls of the last 24 hours">
          <h2>
            <Link to="/deliveries">Calls of the last 24 hours</Link> <small className="muted">{all}</small>
          </h2>
          <LastDay />
        </section>
      )}
    </>
  );
}
