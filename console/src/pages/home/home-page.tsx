import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRights } from '../../app/rights';
import { homeRoute } from '../../app/router';
import { FaultNote } from '../../parts/fault-note';
import { useFirstLoad } from '../../parts/first-load';
import { Loaded } from '../../parts/loaded';
import { Loading } from '../../parts/loading';
import { PageHead } from '../../parts/page-head';
import { myTeams, useTeam } from '../../parts/team-picker';
import { incomingHooks } from '../incoming/incoming-queries';
import { outgoingHooks } from '../outgoing/outgoing-queries';
import { Attention } from './attention';
import { Figures } from './figures';
import { FirstSteps } from './first-steps';
import { MemberOverview } from './member';
import { courseOf, type Range, RANGES, worstEndpoints } from './overview-queries';

/** Home page: figures and attempts, what needs attention, and the first steps; for members, their channels. */
export function HomePage(): ReactNode {
  const [teamId] = useTeam();
  const { isPending } = useQuery(myTeams);
  const { isKnown: areRightsKnown, mayManageWebhooks } = useRights();
  const isKnown = areRightsKnown && !isPending;
  return (
    <>
      <PageHead title="Overview" />
      {!isKnown && <Loading as="cards" />}
      {isKnown &&
        (mayManageWebhooks ? <WebhooksOverview teamId={teamId} /> : <MemberOverview teamId={teamId} />)}
    </>
  );
}

function WebhooksOverview({ teamId }: { readonly teamId: string }): ReactNode {
  const { range = '' } = homeRoute.useSearch();
  const navigate = useNavigate();
  const { isAdmin } = useRights();
  const { data: teams = [] } = useQuery(myTeams);
  const outgoing = useQuery(outgoingHooks(teamId));
  const incoming = useQuery(incomingHooks(teamId));
  const endpoints = useQuery({ ...worstEndpoints, enabled: isAdmin });
  useQuery(courseOf(isAdmin ? undefined : [], '24h')); // early
  const isLoaded = useFirstLoad();
  const isKnown = incoming.isFetched && (isAdmin ? endpoints : outgoing).isFetched;
  const calls = isAdmin ? endpoints.data?.total_count !== 0 : outgoing.data?.length !== 0;
  const isUnused = incoming.data?.every(({ last_used: at }) => at === 0) === true && !calls;
  const team = teams.length > 1 ? teams.find(({ id }) => id === teamId)?.display_name : undefined;
  const scope = team === undefined ? '' : isAdmin ? 'whole server' : team;
  if (!isLoaded && !isKnown) return <Placeholder />;
  return (
    <Stack gap="lg">
      {!isUnused && (
        <Figures
          range={range in RANGES ? (range as Range) : '24h'}
          onRange={(chosen) => void navigate({ to: '/', search: { range: chosen }, resetScroll: false })}
          hookIds={isAdmin ? undefined : (outgoing.data ?? []).map(({ id }) => id)}
          scope={scope}
        />
      )}
      {!isLoaded && <Loading />}
      <Stack gap="lg" display={isLoaded ? undefined : 'none'}>
        {!isUnused && <Attention hooks={outgoing} isOfAdmin={isAdmin} />}
        {incoming.data && outgoing.error && <FaultNote error={outgoing.error} />}
        <Loaded query={incoming}>
          {(hooks) =>
            outgoing.data && (
              <FirstSteps key={teamId} hooks={hooks} calls={outgoing.data.length > 0} isAlone={isUnused} />
            )
          }
        </Loaded>
      </Stack>
    </Stack>
  );
}

const Placeholder = (): ReactNode => (
  <Stack gap="sm" className="loading">
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
      {['delivered', 'failed', 'rate', 'p99'].map((name) => (
        <Skeleton key={name} h={106} />
      ))}
    </SimpleGrid>
    <Skeleton h={300} />
  </Stack>
);
