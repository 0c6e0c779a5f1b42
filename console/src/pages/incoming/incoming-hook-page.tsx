import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { incomingHookRoute } from '../../app/router';
import { queries } from '../../app/services';
import { Badge } from '../../parts/badge';
import { ChannelLink } from '../../parts/channel-link';
import { Copy } from '../../parts/copy';
import { FaultNote } from '../../parts/fault-note';
import { Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { Tabs } from '../../parts/tabs';
import { Time } from '../../parts/time';
import { useUsernames } from '../../parts/usernames';
import { Calls } from './calls';
import { IncomingHookForm } from './incoming-hook-form';
import { addressOf, type IncomingHook, incomingHook, keptCalls } from './incoming-queries';
import { OwnerState } from './owner-state';
import { TestCall } from './test-call';

/** One incoming webhook: its address, a test, and what came in. */
export function IncomingHookPage(): ReactNode {
  const { hookId } = incomingHookRoute.useParams();
  const hook = useQuery(incomingHook(hookId));
  return <Loaded query={hook}>{(found) => <HookDetails key={found.id} hook={found} />}</Loaded>;
}

function HookDetails({ hook }: { readonly hook: IncomingHook }): ReactNode {
  const { tab = 'test' } = incomingHookRoute.useSearch();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  const nameOf = useUsernames([hook.user_id]);
  const remove = async (): Promise<void> => {
    await answerOf(
      api.DELETE('/api/v4/hooks/incoming/{hook_id}', { params: { path: { hook_id: hook.id } } }),
    );
    queries.removeQueries({ queryKey: ['incoming'], type: 'inactive' }); // the lists that still have it
    await navigate({ to: '/incoming' });
  };
  return (
    <>
      <PageHead title={hook.display_name || 'Incoming webhook'}>
        <button onClick={() => setOpen('edit')}>Edit</button>
        <button className="risky" onClick={() => setOpen('delete')}>
          Delete
        </button>
      </PageHead>
      {hook.description && <p className="muted">{hook.description}</p>}
      <dl className="facts">
        <dt>State</dt>
        <dd>
          <OwnerState hook={hook} />
        </dd>
        <dt>Posts to</dt>
        <dd>
          <ChannelLink teamId={hook.team_id} channelId={hook.channel_id} />{' '}
          {hook.channel_locked && <Badge tone="quiet">locked</Badge>}
        </dd>
        <dt>Owner</dt>
        <dd>{nameOf(hook.user_id)}</dd>
        <dt>Address</dt>
        <dd>
          <Address hookId={hook.id} />
        </dd>
        <dt>Last used</dt>
        <dd>
          <Time at={hook.last_used} />
        </dd>
        <dt>Last refused</dt>
        <dd>
          <LastRefused hookId={hook.id} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={hook.create_at} />
        </dd>
      </dl>
      <Tabs
        current={tab}
        onChange={(name) => void navigate({ to: '.', search: { tab: name }, replace: true })}
        tabs={{
          test: { title: 'Send a test', content: () => <TestCall hook={hook} /> },
          calls: { title: 'Calls', content: () => <Calls hook={hook} /> },
        }}
      />
      <Modal title="Edit the webhook" isOpen={open === 'edit'} onClose={close}>
        <IncomingHookForm teamId={hook.team_id} hook={hook} onSaved={close} />
      </Modal>
      <Modal title="Delete the webhook?" isOpen={open === 'delete'} onClose={close}>
        <Form action="Delete" onSubmit={remove} isDangerous>
          <p>Programs that post to its address get an error from then on. Its messages stay.</p>
        </Form>
      </Modal>
    </>
  );
}

function LastRefused({ hookId }: { readonly hookId: string }): ReactNode {
  const { data, error } = useQuery(keptCalls(hookId));
  const refused = data?.find(({ status }) => status >= 300);
  if (!data) return error && <FaultNote error={error} />;
  return refused ? (
    <>
      <Time at={refused.create_at} />: {refused.message}
    </>
  ) : (
    <span className="muted">not among the calls that are kept</span>
  );
}

/** The address is a secret: it is shown on demand. */
function Address({ hookId }: { readonly hookId: string }): ReactNode {
  const [isShown, setShown] = useState(false);
  const address = addressOf(hookId);
  return (
    <span className="row">
      <code>{isShown ? address : address.replace(hookId, '••••••••••••')}</code>
      <button className="small" onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
      </button>
      <Copy text={address} label="Copy the address" />
    </span>
  );
}
