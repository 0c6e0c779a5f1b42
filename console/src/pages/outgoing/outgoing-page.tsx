import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { outgoingRoute } from '../../app/router';
import { CutNote } from '../../parts/cut-note';
import { Growing } from '../../parts/growing';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { isRefused, WebhooksRefused } from '../../parts/refused';
import { TableOfParts } from '../../parts/table';
import { myChannels, useTeam } from '../../parts/team-picker';
import { WebhooksHead } from '../../parts/webhooks-head';
import { HookRows } from './hook-rows';
import { OutgoingHookForm } from './outgoing-hook-form';
import { CHARTED_AT_ONCE, type OutgoingHook, outgoingHooks } from './outgoing-queries';

/** The outgoing webhooks of a team. */
export function OutgoingPage(): ReactNode {
  const [teamId, choose] = useTeam();
  const { search = '' } = outgoingRoute.useSearch();
  const [isAdding, setAdding] = useState(false);
  const add = (): void => setAdding(true);
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
        onSearch={(text) =>
          void navigate({ to: '/outgoing', search: { search: text }, replace: search !== '' })
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
                <HookTable hooks={all} matches={matches} teamId={teamId} />
              </>
            )
          }
        </Loaded>
      )}
      <Modal title="Add an outgoing webhook" isOpen={isAdding} onClose={() => setAdding(false)}>
        <OutgoingHookForm
          teamId={teamId}
          onSaved={(hook) => void navigate({ to: '/outgoing/$hookId', params: { hookId: hook.id } })}
        />
      </Modal>
    </>
  );
}

function NoHooks({ onAdd }: { readonly onAdd: () => void }): ReactNode {
  return (
    <div className="empty">
      <p>
        No outgoing webhooks yet. An outgoing webhook calls a program whenever a message contains a word of
        your choice.
      </p>
      <Button size="xs" onClick={onAdd}>
        Add a webhook
      </Button>
    </div>
  );
}

interface HookTableProps {
  readonly hooks: readonly OutgoingHook[];
  readonly matches: (hook: OutgoingHook) => boolean;
  readonly teamId: string;
}

function HookTable({ hooks, matches, teamId }: HookTableProps): ReactNode {
  const { data: channels = [] } = useQuery(myChannels(teamId));
  const names = new Map(channels.map(({ id, display_name: name }) => [id, name]));
  const groups = inGroups(hooks).filter((group) => group.some(matches));
  if (groups.length === 0) return <p className="empty">No webhooks match.</p>;
  return (
    <Growing items={groups} step={1}>
      {(shown) => (
        <TableOfParts heads={['Name', 'Last day', 'Fires on', 'Where', 'Calls', 'State']}>
          {shown.map((group) => (
            <HookRows key={group[0]?.id} hooks={group} matches={matches} channelNames={names} />
          ))}
        </TableOfParts>
      )}
    </Growing>
  );
}

function inGroups(hooks: readonly OutgoingHook[]): (readonly OutgoingHook[])[] {
  return Array.from({ length: Math.ceil(hooks.length / CHARTED_AT_ONCE) }, (_, group) =>
    hooks.slice(group * CHARTED_AT_ONCE, (group + 1) * CHARTED_AT_ONCE),
  );
}
