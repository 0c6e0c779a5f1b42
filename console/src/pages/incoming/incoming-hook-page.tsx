import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { incomingHookRoute } from '../../app/router';
import { queries } from '../../app/services';
import { Form } from '../../parts/form';
import { Gone } from '../../parts/gone';
import { Loaded } from '../../parts/loaded';
import { Loading } from '../../parts/loading';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { Tabs } from '../../parts/tabs';
import { TeamName } from '../../parts/team-name';
import { Calls } from './calls';
import { HookFacts } from './hook-facts';
import { IncomingHookForm } from './incoming-hook-form';
import { type IncomingHook, incomingHook, keptCalls } from './incoming-queries';
import { OwnerState } from './owner-state';
import { TestCall } from './test-call';
import { Urls } from './urls';

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
  const test = { title: 'Send a test', content: () => <TestCall hook={hook} /> };
  const calls = {
    title: refused.length > 0 ? `Calls (${refused.length} refused)` : 'Calls',
    content: () => <Calls hook={hook} />,
  };
  const urls = { title: 'URL', content: () => <Urls hook={hook} /> };
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
        <Button variant="default" size="xs" onClick={() => setOpen('edit')}>
          Edit
        </Button>
        <Button variant="default" size="xs" c="red" onClick={() => setOpen('delete')}>
          Delete
        </Button>
      </PageHead>
      {hook.description && <p className="muted">{hook.description}</p>}
      <HookFacts hook={hook} refused={refused} />
      <Tabs
        current={tab}
        onChange={(name) => void navigate({ to: '.', search: { tab: name } })}
        tabs={isCallsFirst ? { calls, test, urls } : { test, calls, urls }}
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
