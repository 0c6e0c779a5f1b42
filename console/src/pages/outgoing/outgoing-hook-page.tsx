import { Button, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { outgoingHookRoute } from '../../app/router';
import { queries } from '../../app/services';
import { useConfirm } from '../../parts/confirm';
import { DialogButton } from '../../parts/dialog-button';
import { Form } from '../../parts/form';
import { Gone } from '../../parts/gone';
import { Loaded } from '../../parts/loaded';
import { PageHead } from '../../parts/page-head';
import { StatusBadge } from '../../parts/status-badge';
import { Tabs } from '../../parts/tabs';
import { TeamName } from '../../parts/team-name';
import { Time } from '../../parts/time';
import { Deliveries } from './deliveries';
import { OutgoingHookForm } from './outgoing-hook-form';
import {
  hookHealth,
  type OutgoingHook,
  outgoingHook,
  reasonOf,
  saveWarnings,
  standingOf,
  waitingDeliveries,
} from './outgoing-queries';
import { Overview } from './overview';
import { Pull } from './pull';
import { Secret } from './secret';
import { Banner } from './section';
import { Settings } from './settings';
import { TestDelivery } from './test-delivery';
import { TestTriggers } from './test-triggers';

const LIST = <Link to="/outgoing">Outgoing webhooks</Link>;

/** One outgoing webhook: its state, tests, deliveries, settings and secrets. */
export function OutgoingHookPage(): ReactNode {
  const { hookId } = outgoingHookRoute.useParams();
  const hook = useQuery(outgoingHook(hookId));
  return (
    <Loaded query={hook} as="page" gone={<Gone what="webhook" list={LIST} />}>
      {(found) => <HookDetails key={found.id} hook={found} />}
    </Loaded>
  );
}

function HookDetails({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const { tab = 'overview' } = outgoingHookRoute.useSearch();
  const navigate = useNavigate();
  const [dialog, ask] = useConfirm();
  const { data: health } = useQuery(hookHealth(hook.id));
  const waiting = health?.waiting ?? 0;
  const remove = async (): Promise<void> => {
    const path = { hook_id: hook.id };
    await answerOf(api.DELETE('/api/v4/hooks/outgoing/{hook_id}', { params: { path } }));
    queries.removeQueries({ queryKey: ['outgoing'], type: 'inactive' }); // lists that still contain it
    await navigate({ to: '/outgoing' });
  };
  const askToDelete = (): void =>
    ask({
      ...{ title: 'Delete the webhook?', action: 'Delete', isRisky: true, onConfirm: remove },
      body: <p>It stops calling its URLs, and deliveries that are still waiting are cancelled.</p>,
    });
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
        state={<StatusBadge status={standingOf(hook)} />}
        description={hook.description || undefined}
      >
        <DialogButton label="Edit" title="Edit the webhook" icon={<IconPencil size={14} aria-hidden />}>
          {(close) => <OutgoingHookForm teamId={hook.team_id} hook={hook} onSaved={close} />}
        </DialogButton>
        <Button
          variant="default"
          c="red"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={askToDelete}
        >
          Delete
        </Button>
      </PageHead>
      {dialog}
      <Banners hook={hook} />
      <Tabs
        current={tab}
        onChange={(name) => void navigate({ to: '.', search: { tab: name } })}
        tabs={{
          overview: { title: 'Overview', content: () => <Overview hook={hook} /> },
          test: {
            title: 'Test',
            content: () => (
              <>
                {hook.delivery === 'pull' ? <Pull hook={hook} /> : <TestDelivery hook={hook} />}
                <TestTriggers hook={hook} />
              </>
            ),
          },
          deliveries: {
            title: 'Deliveries',
            ...(waiting > 0 && { count: waiting }),
            content: () => <Deliveries hook={hook} />,
          },
          settings: { title: 'Settings', content: () => <Settings hook={hook} /> },
          secret: { title: 'Secret', content: () => <Secret hook={hook} /> },
        }}
      />
    </>
  );
}

/** What is wrong with a webhook, and what to do. */
function Banners({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const { id, disabled_at: disabledAt, disabled_urls: disabledUrls } = hook;
  const { data: warnings = [] } = useQuery(saveWarnings(id));
  const isStopped = disabledAt > 0 || disabledUrls.length > 0;
  const reason = reasonOf(hook) || standingOf(hook).text;
  const enable = async (): Promise<void> => {
    const path = { hook_id: id };
    await answerOf(api.POST('/api/v4/hooks/outgoing/{hook_id}/enable', { params: { path } }));
    await queries.invalidateQueries({ queryKey: ['outgoing'] });
  };
  return (
    <>
      {isStopped && (
        <Banner isBad={disabledAt > 0} title={reason}>
          <Form action="Enable again" onSubmit={enable}>
            <Text size="sm" mb="xs">
              {disabledAt > 0 && (
                <>
                  Disabled <Time at={disabledAt} isInText />.{' '}
                </>
              )}
              Once the receiver is fixed, enable the webhook and resend missed deliveries.
            </Text>
          </Form>
        </Banner>
      )}
      {!isStopped && (hook.paused_reason !== '' || hook.secrets_unreadable) && <Banner title={reason} />}
      {hook.ordering !== '' && <BlockedChannels hook={hook} />}
      {warnings.map((warning) => (
        <Banner key={warning}>{warning.replace(/^callback_urls: /, '')}.</Banner>
      ))}
    </>
  );
}

/** Deliveries that delay others of their channel, with a way to skip them. */
function BlockedChannels({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const { data: waiting = [] } = useQuery(waitingDeliveries(hook.id));
  const heads = new Map(waiting.filter((one) => one.blocked_by !== '').map((one) => [one.blocked_by, one]));
  const skip = async (deliveryId: string): Promise<void> => {
    await answerOf(
      api.POST('/api/v4/hooks/outgoing/{hook_id}/deliveries/{delivery_id}/skip', {
        params: { path: { hook_id: hook.id, delivery_id: deliveryId } },
      }),
    );
    await queries.invalidateQueries({ queryKey: ['deliveries'] });
  };
  return [...heads].map(([id, { blocked_since: since }]) => (
    <Banner key={id} title="Channel blocked">
      <Form
        action="Skip"
        onSubmit={() => skip(id)}
        extra={
          <Link
            to="/outgoing/$hookId"
            params={{ hookId: hook.id }}
            search={{ tab: 'deliveries', delivery: id }}
          >
            Show the delivery
          </Link>
        }
      >
        <Text size="sm" mb="xs">
          A delivery has failed since <Time at={since} isInText /> and delays the next ones of its channel.
        </Text>
      </Form>
    </Banner>
  ));
}
