import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { outgoingHookRoute } from '../../app/router';
import { queries } from '../../app/services';
import { Badge } from '../../parts/badge';
import { ChannelLink } from '../../parts/channel-link';
import { Form } from '../../parts/form';
import { Gone } from '../../parts/gone';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { StatusBadge } from '../../parts/status-badge';
import { Tabs } from '../../parts/tabs';
import { TeamName } from '../../parts/team-name';
import { Time } from '../../parts/time';
import { LastDay } from '../deliveries/last-day';
import { CallbackWarnings } from './callback-warnings';
import { Deliveries } from './deliveries';
import { describeEvents, TRIGGERED } from './event-fields';
import { BlockedLanes, Health } from './health';
import { OutgoingHookForm } from './outgoing-hook-form';
import {
  type OutgoingHook,
  outgoingHook,
  describePause,
  ruleOf,
  saveWarnings,
  standingOf,
} from './outgoing-queries';
import { Pull } from './pull';
import { Secret } from './secret';
import { TestDelivery } from './test-delivery';
import { TryWords } from './try-words';

const LIST = <Link to="/outgoing">Outgoing webhooks</Link>;

/** One outgoing webhook: its state, deliveries, secret, and tests. */
export function OutgoingHookPage(): ReactNode {
  const { hookId } = outgoingHookRoute.useParams();
  const hook = useQuery(outgoingHook(hookId));
  return (
    <Loaded query={hook} gone={<Gone what="webhook" list={LIST} />}>
      {(found) => <HookDetails key={found.id} hook={found} />}
    </Loaded>
  );
}

function HookDetails({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const { tab = 'deliveries' } = outgoingHookRoute.useSearch();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  const standing = standingOf(hook);
  const { data: warnings } = useQuery(saveWarnings(hook.id));
  const path = { hook_id: hook.id };
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['outgoing'] });
  const enable = async (): Promise<void> => {
    await answerOf(api.POST('/api/v4/hooks/outgoing/{hook_id}/enable', { params: { path } }));
    await refresh();
  };
  const remove = async (): Promise<void> => {
    await answerOf(api.DELETE('/api/v4/hooks/outgoing/{hook_id}', { params: { path } }));
    queries.removeQueries({ queryKey: ['outgoing'], type: 'inactive' }); // lists that still contain it
    await navigate({ to: '/outgoing' });
  };
  return (
    <>
      <PageHead
        title={hook.display_name || 'Outgoing webhook'}
        parent={
          <>
            {LIST}
            <TeamName teamId={hook.team_id} />
          </>
        }
        state={<StatusBadge status={standing} />}
      >
        <Button variant="default" size="xs" onClick={() => setOpen('edit')}>
          Edit
        </Button>
        <Button variant="default" size="xs" c="red" onClick={() => setOpen('delete')}>
          Delete
        </Button>
      </PageHead>
      {hook.description && <p className="muted">{hook.description}</p>}
      <CallbackWarnings warnings={warnings} />
      <Standing hook={hook} onEnable={enable} />
      {hook.ordering !== '' && <BlockedLanes hook={hook} />}
      <LastDay hookId={hook.id} />
      <Tabs
        current={tab}
        onChange={(name) => void navigate({ to: '.', search: { tab: name } })}
        tabs={{
          deliveries: { title: 'Deliveries', content: () => <Deliveries hook={hook} /> },
          words: { title: 'Try its words', content: () => <TryWords hook={hook} /> },
          ...(hook.delivery === 'pull'
            ? { pull: { title: 'Fetch', content: () => <Pull hook={hook} /> } }
            : { test: { title: 'Test call', content: () => <TestDelivery hook={hook} /> } }),
          secret: { title: 'Secret', content: () => <Secret hook={hook} /> },
        }}
      />
      <Modal title="Edit the webhook" isOpen={open === 'edit'} onClose={close}>
        <OutgoingHookForm teamId={hook.team_id} hook={hook} onSaved={close} />
      </Modal>
      <Modal title="Delete the webhook?" isOpen={open === 'delete'} onClose={close}>
        <Form action="Delete" onSubmit={remove} isDangerous>
          <p>It stops calling its URLs. Deliveries that are still waiting are cancelled.</p>
        </Form>
      </Modal>
    </>
  );
}

interface StandingProps {
  readonly hook: OutgoingHook;
  readonly onEnable: () => Promise<void>;
}

function Standing({ hook, onEnable }: StandingProps): ReactNode {
  const paused = describePause(hook.paused_reason);
  const isStopped = hook.disabled_at > 0 || hook.disabled_urls.length > 0;
  return (
    <>
      <dl className="facts">
        {hook.disabled_at > 0 && (
          <>
            <dt>Disabled</dt>
            <dd>
              <Time at={hook.disabled_at} isInText />: {hook.disabled_reason}
            </dd>
          </>
        )}
        {paused && (
          <>
            <dt>Paused</dt>
            <dd>{paused}</dd>
          </>
        )}
        <dt>Listens in</dt>
        <dd>
          {hook.channel_id === '' ? (
            <Badge tone="warning">all public channels</Badge>
          ) : (
            <ChannelLink teamId={hook.team_id} channelId={hook.channel_id} />
          )}
        </dd>
        <dt>Fires on</dt>
        <dd>{ruleOf(hook)}</dd>
        {hook.events.join() !== TRIGGERED && (
          <>
            <dt>Events</dt>
            <dd>{describeEvents(hook.events)}</dd>
          </>
        )}
        <Health hook={hook} />
      </dl>
      {isStopped && (
        <Form action="Enable again" onSubmit={onEnable}>
          <p>Once the receiver is fixed, enable the webhook and send the failed deliveries again.</p>
        </Form>
      )}
    </>
  );
}
