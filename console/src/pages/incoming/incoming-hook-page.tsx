import { ActionIcon, Code, Group, Paper, Text, Tooltip } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { incomingHookRoute } from '../../app/router';
import { Copy } from '../../parts/copy';
import { Gone } from '../../parts/gone';
import { Loaded } from '../../parts/loaded';
import { Loading } from '../../parts/loading';
import { PageHead } from '../../parts/page-head';
import { StatusBadge } from '../../parts/status-badge';
import { Tabs } from '../../parts/tabs';
import { TeamName } from '../../parts/team-name';
import { Calls } from './calls';
import { statusOf } from './hook-state';
import {
  addressesOf,
  type HookProps,
  incomingHook,
  isRecent,
  isRefusal,
  keptCalls,
} from './incoming-queries';
import { Overview } from './overview';
import { Security } from './security';
import { Settings } from './settings';
import { TestCall } from './test-call';

const LIST = <Link to="/incoming">Incoming webhooks</Link>;

/** One incoming webhook: its URL, its state, a test, its calls and settings. */
export function IncomingHookPage(): ReactNode {
  const { hookId } = incomingHookRoute.useParams();
  const hook = useQuery(incomingHook(hookId));
  const { isPending } = useQuery(keptCalls(hookId)); // refused calls come first
  return (
    <Loaded query={hook} as="page" gone={<Gone what="webhook" list={LIST} />}>
      {(found) => (isPending ? <Loading as="page" /> : <HookDetails key={found.id} hook={found} />)}
    </Loaded>
  );
}

function HookDetails({ hook }: HookProps): ReactNode {
  const { data: calls = [] } = useQuery(keptCalls(hook.id));
  const { tab = 'overview' } = incomingHookRoute.useSearch();
  const navigate = useNavigate();
  const refused = calls.filter(isRefusal);
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
        state={<StatusBadge status={statusOf(hook, refused.some(isRecent))} />}
        description={hook.description || undefined}
      />
      <Paper withBorder px="sm" py={6} mb="md">
        {addressesOf(hook).map((address) => (
          <SecretUrl key={address.label} {...address} />
        ))}
      </Paper>
      <Tabs
        current={tab}
        onChange={(name) => void navigate({ to: '.', search: { tab: name } })}
        tabs={{
          overview: { title: 'Overview', content: () => <Overview hook={hook} refused={refused} /> },
          test: { title: 'Test', content: () => <TestCall hook={hook} /> },
          calls: {
            title: refused.length > 0 ? `Calls (${refused.length} refused)` : 'Calls',
            content: () => <Calls hook={hook} />,
          },
          settings: { title: 'Settings', content: () => <Settings hook={hook} /> },
          security: { title: 'Security', content: () => <Security hook={hook} /> },
        }}
      />
    </>
  );
}

type Address = ReturnType<typeof addressesOf>[number];

/** A URL that is a secret, shown on demand. */
function SecretUrl({ url, secret, label }: Address): ReactNode {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? IconEyeOff : IconEye;
  const action = `${isShown ? 'Hide' : 'Show'} the ${label}`;
  return (
    <Group gap="xs" wrap="nowrap" py={2}>
      <Group gap="xs" flex={1} miw={0}>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Code bg="none" style={{ overflowWrap: 'anywhere' }}>
          {isShown ? url : url.replace(secret, '••••••••••••')}
        </Code>
      </Group>
      <Tooltip label={action}>
        <ActionIcon aria-label={action} onClick={() => setShown(!isShown)}>
          <Icon size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Copy text={url} label={`Copy the ${label}`} caption="Copy" />
    </Group>
  );
}
