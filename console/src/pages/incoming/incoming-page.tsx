import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Schemas } from '../../api/client';
import { incomingRoute } from '../../app/router';
import { isAdmin, useUser } from '../../app/session';
import { Badge } from '../../parts/badge';
import { Copy } from '../../parts/copy';
import { CutNote } from '../../parts/cut-note';
import { Growing } from '../../parts/growing';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { isRefused, WebhooksRefused } from '../../parts/refused';
import { Table } from '../../parts/table';
import { myChannels, useTeam } from '../../parts/team-picker';
import { Time } from '../../parts/time';
import { useUsernames } from '../../parts/usernames';
import { WebhooksHead } from '../../parts/webhooks-head';
import { IncomingHookForm } from './incoming-hook-form';
import { addressOf, type IncomingHook, incomingHooks, refusingHooks } from './incoming-queries';
import { OwnerState } from './owner-state';

/** The incoming webhooks of a team. */
export function IncomingPage(): ReactNode {
  const [teamId, choose] = useTeam();
  const { search = '' } = incomingRoute.useSearch();
  const [isAdding, setAdding] = useState(false);
  const add = (): void => setAdding(true);
  const navigate = useNavigate();
  const hooks = useQuery(incomingHooks(teamId));
  const { data: channels = [] } = useQuery(myChannels(teamId));
  const names = new Map(channels.map(({ id, display_name: name }) => [id, name]));
  const ownerOf = useUsernames((hooks.data ?? []).map(({ user_id: id }) => id));
  const matches = (hook: IncomingHook): boolean =>
    [hook.display_name, hook.description, names.get(hook.channel_id) ?? '', ownerOf(hook.user_id)]
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
        onSearch={(text) =>
          void navigate({ to: '/incoming', search: { search: text }, replace: search !== '' })
        }
        onAdd={hooks.data && hooks.data.length > 0 && !isRefused(hooks.error) ? add : undefined}
      />
      {isRefused(hooks.error) ? (
        <WebhooksRefused />
      ) : (
        <Loaded query={hooks}>
          {(all) =>
            all.length === 0 ? (
              <NoHooks onAdd={add} />
            ) : (
              <>
                <CutNote count={all.length} />
                <HookTable hooks={all.filter(matches)} names={names} ownerOf={ownerOf} />
              </>
            )
          }
        </Loaded>
      )}
      <Modal title="Add an incoming webhook" isOpen={isAdding} onClose={() => setAdding(false)}>
        <IncomingHookForm
          teamId={teamId}
          onSaved={(hook) => void navigate({ to: '/incoming/$hookId', params: { hookId: hook.id } })}
        />
      </Modal>
    </>
  );
}

function NoHooks({ onAdd }: { readonly onAdd: () => void }): ReactNode {
  return (
    <div className="empty">
      <p>No webhooks yet. A program posts to the URL of a webhook, and the message appears in its channel.</p>
      <Button size="xs" onClick={onAdd}>
        Add a webhook
      </Button>
    </div>
  );
}

interface HookTableProps {
  readonly hooks: readonly IncomingHook[];
  readonly names: ReadonlyMap<string, string>;
  readonly ownerOf: (userId: string) => string;
}

function HookTable({ hooks, names, ownerOf }: HookTableProps): ReactNode {
  const refusing = useQuery({ ...refusingHooks, enabled: isAdmin(useUser()) });
  const refusals = new Map(refusing.data?.map((one) => [one.hook_id, one]));
  if (hooks.length === 0) return <p className="empty">No webhooks match.</p>;
  return (
    <Growing items={hooks}>
      {(shown) => (
        <Table heads={['Name', 'Channel', 'Owner', 'Last used', 'State', 'URL']}>
          {shown.map((hook) => (
            <tr key={hook.id}>
              <td>
                <Link to="/incoming/$hookId" params={{ hookId: hook.id }}>
                  {hook.display_name || 'Unnamed'}
                </Link>
                {hook.description && <div className="muted">{hook.description}</div>}
              </td>
              <td>
                {names.get(hook.channel_id) ?? <span className="muted">another channel</span>}{' '}
                {hook.channel_locked && <Badge tone="quiet">locked</Badge>}
              </td>
              <td>{ownerOf(hook.user_id)}</td>
              <td>
                <Time at={hook.last_used} />
                <LastRefusal hookId={hook.id} refusal={refusals.get(hook.id)} />
              </td>
              <td>
                <OwnerState hook={hook} isRefusing={refusals.has(hook.id)} />
              </td>
              <td>
                <Copy
                  text={addressOf(hook.id)}
                  label={`Copy the URL of ${hook.display_name || 'the webhook'}`}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Growing>
  );
}

interface LastRefusalProps {
  readonly hookId: string;
  readonly refusal: Schemas['RefusingHookDto'] | undefined;
}

/** Time of a webhook's last refusal within the last 24 hours. */
function LastRefusal({ hookId, refusal }: LastRefusalProps): ReactNode {
  if (!refusal) return null;
  return (
    <div>
      <Link to="/incoming/$hookId" params={{ hookId }} search={{ tab: 'calls' }}>
        refused <Time at={refusal.last_refused_at} isInText />
      </Link>
    </div>
  );
}
