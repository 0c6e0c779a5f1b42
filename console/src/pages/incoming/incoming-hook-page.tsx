import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { incomingHookRoute } from '../../app/router';
import { queries } from '../../app/services';
import { Badge } from '../../parts/badge';
import { ChannelLink } from '../../parts/channel-link';
import { Copy } from '../../parts/copy';
import { FaultNote } from '../../parts/fault-note';
import { Form } from '../../parts/form';
import { Gone } from '../../parts/gone';
import { Loaded } from '../../parts/loaded';
import { Loading } from '../../parts/loading';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { Tabs } from '../../parts/tabs';
import { TeamName } from '../../parts/team-name';
import { Time } from '../../parts/time';
import { useUsernames } from '../../parts/usernames';
import { Calls } from './calls';
import { IncomingHookForm } from './incoming-hook-form';
import { addressOf, type IncomingHook, incomingHook, keptCalls } from './incoming-queries';
import { OwnerState } from './owner-state';
import { describeRefusal } from './describe-refusal';
import { TestCall } from './test-call';

type Call = Schemas['KeptRequestDto'];

const LIST = <Link to="/incoming">Incoming webhooks</Link>;
const DAY_MS = 86_400_000;

/** One incoming webhook: its URL, a test form, and its calls. */
export function IncomingHookPage(): ReactNode {
  const { hookId } = incomingHookRoute.useParams();
  const hook = useQuery(incomingHook(hookId));
  const { data: calls, isPending } = useQuery(keptCalls(hookId)); // refused calls come first
  return (
    <Loaded query={hook} gone={<Gone what="webhook" list={LIST} />}>
      {(found) =>
        isPending ? <Loading /> : <HookDetails key={found.id} hook={found} refused={refusedOf(calls)} />
      }
    </Loaded>
  );
}

const refusedOf = (calls: readonly Call[] = []): Call[] => calls.filter(({ status }) => status >= 300);

interface HookDetailsProps {
  readonly hook: IncomingHook;
  /** Refused calls, latest first. */
  readonly refused: readonly Call[];
}

function HookDetails({ hook, refused }: HookDetailsProps): ReactNode {
  const isRefusing = refused.some(({ create_at: at }) => at > Date.now() - DAY_MS);
  const [isCallsFirst] = useState(isRefusing); // keep the tab order while the page is open
  const { tab = isCallsFirst ? 'calls' : 'test' } = incomingHookRoute.useSearch();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  const nameOf = useUsernames([hook.user_id]);
  const test = { title: 'Send a test', content: () => <TestCall hook={hook} /> };
  const calls = {
    title: refused.length > 0 ? `Calls (${refused.length} refused)` : 'Calls',
    content: () => <Calls hook={hook} />,
  };
  const remove = async (): Promise<void> => {
    await answerOf(
      api.DELETE('/api/v4/hooks/incoming/{hook_id}', { params: { path: { hook_id: hook.id } } }),
    );
    queries.removeQueries({ queryKey: ['incoming'], type: 'inactive' }); // lists that still contain it
    await navigate({ to: '/incoming' });
    queries.removeQueries({ queryKey: ['incoming', hook.id] });
  };
  return (
    <>
      <PageHead
        title={hook.display_name || 'Incoming webhook'}
        parent={
          <>
            {LIST}
            <TeamName teamId={hook.team_id} />
          </>
        }
        state={<OwnerState hook={hook} isRefusing={isRefusing} />}
      >
        <button onClick={() => setOpen('edit')}>Edit</button>
        <button className="risky" onClick={() => setOpen('delete')}>
          Delete
        </button>
      </PageHead>
      {hook.description && <p className="muted">{hook.description}</p>}
      <dl className="facts">
        <dt>Posts to</dt>
        <dd>
          <ChannelLink teamId={hook.team_id} channelId={hook.channel_id} />{' '}
          {hook.channel_locked && <Badge tone="quiet">locked</Badge>}
        </dd>
        <dt>Owner</dt>
        <dd>{nameOf(hook.user_id)}</dd>
        <dt>URL</dt>
        <dd>
          <HookUrl hookId={hook.id} />
        </dd>
        <dt>Last used</dt>
        <dd>
          <Time at={hook.last_used} />
        </dd>
        <dt>Last refused</dt>
        <dd>
          <LastRefused refused={refused} hookId={hook.id} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={hook.create_at} />
        </dd>
      </dl>
      <Tabs
        current={tab}
        onChange={(name) => void navigate({ to: '.', search: { tab: name }, replace: true })}
        tabs={isCallsFirst ? { calls, test } : { test, calls }}
      />
      <Modal title="Edit the webhook" isOpen={open === 'edit'} onClose={close}>
        <IncomingHookForm teamId={hook.team_id} hook={hook} onSaved={close} />
      </Modal>
      <Modal title="Delete the webhook?" isOpen={open === 'delete'} onClose={close}>
        <Form action="Delete" onSubmit={remove} isDangerous>
          <p>Programs that post to its URL get an error from then on. Its messages stay.</p>
        </Form>
      </Modal>
    </>
  );
}

interface LastRefusedProps {
  readonly hookId: string;
  readonly refused: readonly Call[];
}

function LastRefused({ hookId, refused: [last] }: LastRefusedProps): ReactNode {
  const { data, error } = useQuery(keptCalls(hookId));
  if (!data) return error && <FaultNote error={error} />;
  return last ? (
    <>
      <Time at={last.create_at} />: {describeRefusal(last.message)}
    </>
  ) : (
    <span className="muted">none</span>
  );
}

/** The URL is a secret, shown on demand. */
function HookUrl({ hookId }: { readonly hookId: string }): ReactNode {
  const [isShown, setShown] = useState(false);
  const url = addressOf(hookId);
  return (
    <span className="row">
      <code>{isShown ? url : url.replace(hookId, '••••••••••••')}</code>
      <button className="small" onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
      </button>
      <Copy text={url} label="Copy the URL" />
    </span>
  );
}
