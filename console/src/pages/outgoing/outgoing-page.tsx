import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { outgoingRoute } from '../../app/router';
import { Badge } from '../../parts/badge';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { myChannels, useTeam } from '../../parts/team-picker';
import { WebhooksHead } from '../../parts/webhooks-head';
import { OutgoingHookForm } from './outgoing-hook-form';
import { type OutgoingHook, outgoingHooks, standingOf } from './outgoing-queries';

/** The outgoing webhooks of a team. */
export function OutgoingPage(): ReactNode {
  const [teamId, choose] = useTeam();
  const { search = '' } = outgoingRoute.useSearch();
  const [isAdding, setAdding] = useState(false);
  const navigate = useNavigate();
  const hooks = useQuery(outgoingHooks(teamId));
  const matches = (hook: OutgoingHook): boolean =>
    [hook.display_name, hook.description, ...hook.trigger_words, ...hook.callback_urls]
      .join(' ')
      .toLowerCase()
      .includes(search.toLowerCase());
  return (
    <>
      <WebhooksHead
        title="Outgoing webhooks"
        teamId={teamId}
        onChooseTeam={choose}
        search={search}
        onSearch={(text) => void navigate({ to: '/outgoing', search: { search: text }, replace: true })}
        onAdd={() => setAdding(true)}
      />
      <Loaded query={hooks}>{(all) => <HookTable hooks={all.filter(matches)} teamId={teamId} />}</Loaded>
      <Modal title="Add an outgoing webhook" isOpen={isAdding} onClose={() => setAdding(false)}>
        <OutgoingHookForm
          teamId={teamId}
          onSaved={(hook) => void navigate({ to: '/outgoing/$hookId', params: { hookId: hook.id } })}
        />
      </Modal>
    </>
  );
}

function HookTable({
  hooks,
  teamId,
}: {
  readonly hooks: readonly OutgoingHook[];
  readonly teamId: string;
}): ReactNode {
  const { data: channels = [] } = useQuery(myChannels(teamId));
  const names = new Map(channels.map(({ id, display_name: name }) => [id, name]));
  if (hooks.length === 0)
    return (
      <div className="empty">
        <p>No webhook is here. One calls a program whenever a message has a word of your choice.</p>
      </div>
    );
  return (
    <div className="table">
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Fires on</th>
            <th>Where</th>
            <th>Calls</th>
            <th>State</th>
          </tr>
        </thead>
        <tbody>
          {hooks.map((hook) => {
            const standing = standingOf(hook);
            return (
              <tr key={hook.id}>
                <td>
                  <Link to="/outgoing/$hookId" params={{ hookId: hook.id }}>
                    {hook.display_name || 'Without a name'}
                  </Link>
                  {hook.description && <div className="muted">{hook.description}</div>}
                </td>
                <td>{hook.trigger_words.length > 0 ? hook.trigger_words.join(', ') : 'every message'}</td>
                <td>
                  {hook.channel_id === '' ? (
                    <Badge tone="warning">all public channels</Badge>
                  ) : (
                    (names.get(hook.channel_id) ?? <span className="muted">another channel</span>)
                  )}
                </td>
                <td>{hook.callback_urls.map(originOf).join(', ')}</td>
                <td>
                  <Badge tone={standing.tone}>{standing.text}</Badge>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
