import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdmin, useUser } from '../../app/session';
import { Badge } from '../../parts/badge';
import { Loaded } from '../../parts/loaded';
import { PageHead } from '../../parts/page-head';
import { TeamPicker, useTeam } from '../../parts/team-picker';
import { LastDay } from '../deliveries/last-day';
import { incomingHooks } from '../incoming/incoming-queries';
import { type OutgoingHook, outgoingHooks, standingOf } from '../outgoing/outgoing-queries';
import { FirstSteps } from './first-steps';
import { Peers } from './peers';

/** What needs somebody, and how to begin. */
export function HomePage(): ReactNode {
  const [teamId, choose] = useTeam();
  const outgoing = useQuery(outgoingHooks(teamId));
  const { data: incoming = [] } = useQuery(incomingHooks(teamId));
  const isUsed = incoming.some(({ last_used: at }) => at > 0);
  return (
    <>
      <PageHead title="Home">
        <TeamPicker teamId={teamId} onChoose={choose} />
      </PageHead>
      <Loaded query={outgoing}>{(hooks) => <Attention hooks={hooks} />}</Loaded>
      <Overview />
      <Peers />
      <FirstSteps teamId={teamId} hooks={incoming} isDone={isUsed && (outgoing.data?.length ?? 0) > 0} />
    </>
  );
}

/** What all webhooks sent, for those who may see it. */
function Overview(): ReactNode {
  if (!isAdmin(useUser())) return null;
  return (
    <section aria-label="The last day">
      <h2>
        <Link to="/deliveries">Deliveries</Link>
      </h2>
      <LastDay />
    </section>
  );
}

function Attention({ hooks }: { readonly hooks: readonly OutgoingHook[] }): ReactNode {
  const faulty = hooks.filter((hook) => standingOf(hook).tone !== 'good');
  return (
    <section aria-label="What needs somebody">
      <h2>What needs somebody</h2>
      {faulty.length === 0 ? (
        <p className="muted">Nothing. All outgoing webhooks of the team are active.</p>
      ) : (
        <div className="cards">
          {faulty.map((hook) => (
            <div key={hook.id} className="card">
              <h3>
                <Link to="/outgoing/$hookId" params={{ hookId: hook.id }}>
                  {hook.display_name}
                </Link>
              </h3>
              <Badge tone={standingOf(hook).tone}>{standingOf(hook).text}</Badge>
              <p>{hook.disabled_reason || hook.paused_reason || hook.disabled_urls.join(', ')}</p>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
