import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdmin, useUser } from '../../app/session';
import { Badge } from '../../parts/badge';
import { FaultNote } from '../../parts/fault-note';
import { useFirstLoad } from '../../parts/first-load';
import { Loaded } from '../../parts/loaded';
import { PageHead } from '../../parts/page-head';
import { isRefused, WebhooksRefused } from '../../parts/refused';
import { TeamPicker, useTeam } from '../../parts/team-picker';
import { LastDay } from '../deliveries/last-day';
import { incomingHooks } from '../incoming/incoming-queries';
import { type OutgoingHook, outgoingHooks, standingOf } from '../outgoing/outgoing-queries';
import { Endpoints } from './endpoints';
import { FirstSteps } from './first-steps';
import { Peers } from './peers';
import { Refusing } from './refusing';

/** What needs somebody, and how to begin. */
export function HomePage(): ReactNode {
  const [teamId, choose] = useTeam();
  const isLoaded = useFirstLoad();
  const outgoing = useQuery(outgoingHooks(teamId));
  const incoming = useQuery(incomingHooks(teamId));
  const isUsed = incoming.data?.some(({ last_used: at }) => at > 0) ?? false;
  return (
    <>
      <PageHead title="Home">
        <TeamPicker teamId={teamId} onChoose={choose} />
      </PageHead>
      {!isLoaded && (
        <p className="loading" role="status">
          Loading…
        </p>
      )}
      <div hidden={!isLoaded}>
        <Endpoints />
        <Peers />
        <Refusing />
        <Overview />
        {isRefused(outgoing.error) ? (
          <WebhooksRefused>
            <p>
              What they post is in the <Link to="/channels">Channels</Link>.
            </p>
          </WebhooksRefused>
        ) : (
          <Loaded query={outgoing}>{(hooks) => <Attention hooks={hooks} />}</Loaded>
        )}
        {incoming.error && !isRefused(incoming.error) && <FaultNote error={incoming.error} />}
        {incoming.data && outgoing.data && (
          <FirstSteps key={teamId} hooks={incoming.data} isDone={isUsed && outgoing.data.length > 0} />
        )}
      </div>
    </>
  );
}

/** What all webhooks sent, for those who may see it. */
function Overview(): ReactNode {
  if (!isAdmin(useUser())) return null;
  return (
    <section aria-label="Calls of the last 24 hours">
      <h2>
        <Link to="/deliveries">Calls of the last 24 hours</Link>
      </h2>
      <LastDay />
    </section>
  );
}

function Attention({ hooks }: { readonly hooks: readonly OutgoingHook[] }): ReactNode {
  const faulty = hooks.filter((hook) => standingOf(hook).tone !== 'good');
  return (
    <section aria-label="Outgoing webhooks of this team">
      <h2>Outgoing webhooks of this team</h2>
      {faulty.length === 0 ? (
        <p className="muted">{hooks.length === 0 ? 'There is none yet.' : 'All are active.'}</p>
      ) : (
        <div className="cards">
          {faulty.map((hook) => (
            <div key={hook.id} className="card">
              <h3>
                <Link to="/outgoing/$hookId" params={{ hookId: hook.id }}>
                  {hook.display_name || 'Without a name'}
                </Link>
              </h3>
              <Badge tone={standingOf(hook).tone}>{standingOf(hook).text}</Badge>
              <p>
                {hook.disabled_reason ||
                  hook.paused_reason ||
                  [...hook.disabled_urls, ...hook.failing_urls].join(', ')}
              </p>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
