import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { incomingRoute } from '../../app/router';
import { Badge } from '../../parts/badge';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { myChannels, useTeam } from '../../parts/team-picker';
import { Time } from '../../parts/time';
import { WebhooksHead } from '../../parts/webhooks-head';
import { IncomingHookForm } from './incoming-hook-form';
import { type IncomingHook, incomingHooks } from './incoming-queries';

/** The incoming webhooks of a team. */
export function IncomingPage(): ReactNode {
  const [teamId, choose] = useTeam();
  const { search = '' } = incomingRoute.useSearch();
  const [isAdding, setAdding] = useState(false);
  const navigate = useNavigate();
  const hooks = useQuery(incomingHooks(teamId));
  const { data: channels = [] } = useQuery(myChannels(teamId));
  const names = new Map(channels.map(({ id, display_name: name }) => [id, name]));
  const matches = (hook: IncomingHook): boolean =>
    [hook.display_name, hook.description, names.get(hook.channel_id) ?? '']
      .join(' ')
      .toLowerCase()
      .includes(search.toLowerCase());
  return (
    <>
      <WebhooksHead
        title="Incoming webhooks"
        teamId={teamId}
        onChooseTeam={choose}
        search={search}
        onSearch={(text) => void navigate({ to: '/incoming', search: { search: text }, replace: true })}
        onAdd={() => setAdding(true)}
      />
      <Loaded query={hooks}>{(all) => <HookTable hooks={all.filter(matches)} names={names} />}</Loaded>
      <Modal title="Add an incoming webhook" isOpen={isAdding} onClose={() => setAdding(false)}>
        <IncomingHookForm
          teamId={teamId}
          onSaved={(hook) => void navigate({ to: '/incoming/$hookId', params: { hookId: hook.id } })}
        />
      </Modal>
    </>
  );
}

interface HookTableProps {
  readonly hooks: readonly IncomingHook[];
  readonly names: ReadonlyMap<string, string>;
}

function HookTable({ hooks, names }: HookTableProps): ReactNode {
  if (hooks.length === 0)
    return (
      <div className="empty">
        <p>
          No webhook is here. A program posts to the address of one, and the message appears in its channel.
        </p>
      </div>
    );
  return (
    <div className="table">
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Channel</th>
            <th>Last used</th>
            <th>State</th>
          </tr>
        </thead>
        <tbody>
          {hooks.map((hook) => (
            <tr key={hook.id}>
              <td>
                <Link to="/incoming/$hookId" params={{ hookId: hook.id }}>
                  {hook.display_name || 'Without a name'}
                </Link>
                {hook.description && <div className="muted">{hook.description}</div>}
              </td>
              <td>
                {names.get(hook.channel_id) ?? <span className="muted">another channel</span>}
                {hook.channel_locked && <Badge tone="quiet">locked</Badge>}
              </td>
              <td>
                <Time at={hook.last_used} />
              </td>
              <td>
                {hook.owner_state === 'active' ? (
                  <Badge tone="good">active</Badge>
                ) : (
                  <Badge tone="warning">owner {hook.owner_state.replace('_', ' ')}</Badge>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
