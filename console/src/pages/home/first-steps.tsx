import { Button, Group, Paper, Text, Timeline, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconAffiliate, IconCheck, IconTerminal2, IconWebhook, type TablerIcon } from '@tabler/icons-react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { live } from '../../app/services';
import { isAdmin, useUser } from '../../app/session';
import { Code } from '../../parts/code';
import { Loaded } from '../../parts/loaded';
import { Time } from '../../parts/time';
import { connections } from '../connections/connection-queries';
import { addressOf, type IncomingHook } from '../incoming/incoming-queries';

/** Number of newest messages shown below the command. */
const SHOWN = 3;

interface FirstStepsProps {
  readonly hooks: readonly IncomingHook[];
  /** Whether a webhook of the team calls a program. */
  readonly calls: boolean;
  /** Whether nothing else is on the page. */
  readonly isAlone: boolean;
}

/** Getting started: post with a command and see it appear, call a program, connect another server. */
export function FirstSteps({ hooks, calls, isAlone }: FirstStepsProps): ReactNode {
  const isUsed = hooks.some(({ last_used: at }) => at > 0);
  const [wasDone] = useState(isUsed && calls); // keep results visible to a user who just finished
  const [isOpen, setOpen] = useLocalStorage<boolean>({
    ...{ key: 'hookline.first-steps', defaultValue: !wasDone, getInitialValueInEffect: false },
  });
  return (
    <section aria-label="First steps">
      <Group justify="space-between" mb="xs">
        <Title order={2} m={0}>
          First steps
        </Title>
        {!isAlone && (
          <Button variant="subtle" size="compact-sm" color="gray" onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'} the first steps
          </Button>
        )}
      </Group>
      {(isOpen || isAlone) && <Steps hook={hooks[0]} isUsed={isUsed} calls={calls} />}
    </section>
  );
}

interface StepsProps extends Pick<FirstStepsProps, 'calls'> {
  readonly hook: IncomingHook | undefined;
  readonly isUsed: boolean;
}

function Steps({ hook, isUsed, calls }: StepsProps): ReactNode {
  const mayConnect = isAdmin(useUser());
  const { data: peers = [] } = useQuery({ ...connections, enabled: mayConnect });
  return (
    <Paper withBorder p="lg">
      <Timeline bulletSize={28} lineWidth={2} color="green">
        <Timeline.Item {...step(IconTerminal2, isUsed)} title="Post a message with a command">
          {hook ? (
            <>
              <Text size="sm" c="dimmed" mb="xs">
                Run it in a terminal; the message appears below.
              </Text>
              <Code
                label="the first command"
                secret={hook.id}
                text={`curl -H 'Content-Type: application/json' -d '{"text":"Hello from a webhook"}' ${addressOf(hook.id)}`}
              />
              <Newest channelId={hook.channel_id} />
            </>
          ) : (
            <Text size="sm">
              <Link to="/incoming">Add an incoming webhook</Link> first.
            </Text>
          )}
        </Timeline.Item>
        <Timeline.Item {...step(IconWebhook, calls)} title="Let a message call a program">
          <Text size="sm">
            <Link to="/outgoing">Add an outgoing webhook</Link> with a trigger word and the URL of your
            program, and write the word in a <Link to="/channels">channel</Link>.
          </Text>
        </Timeline.Item>
        {mayConnect && (
          <Timeline.Item {...step(IconAffiliate, peers.length > 0)} title="Connect a server">
            <Text size="sm">
              <Link to="/connections">Invite another server</Link>, and share channels with it.
            </Text>
          </Timeline.Item>
        )}
      </Timeline>
    </Paper>
  );
}

const step = (Icon: TablerIcon, isDone: boolean) => ({
  bullet: isDone ? <IconCheck size={16} aria-label="Done" /> : <Icon size={16} aria-hidden />,
  active: isDone,
});

const newest = (channelId: string) =>
  queryOptions({
    queryKey: ['posts', 'newest', channelId],
    queryFn: async () => {
      const params = { path: { channel_id: channelId }, query: { per_page: SHOWN } };
      const { order, posts } = await answerOf(api.GET('/api/v4/channels/{channel_id}/posts', { params }));
      return order.flatMap((id) => (posts as Record<string, Post>)[id] ?? []);
    },
  });

interface Post {
  readonly id: string;
  readonly create_at: number;
  readonly message: string;
}

function Newest({ channelId }: { readonly channelId: string }): ReactNode {
  const client = useQueryClient();
  const query = newest(channelId);
  useEffect(
    () =>
      live.listen(({ event, broadcast }) => {
        if (event === 'posted' && broadcast.channel_id === channelId)
          void client.invalidateQueries({ queryKey: newest(channelId).queryKey });
      }),
    [client, channelId],
  );
  return (
    <Loaded query={useQuery(query)}>
      {(posts) =>
        posts.length === 0 ? (
          <Text size="sm" c="dimmed">
            No messages yet.
          </Text>
        ) : (
          <ol aria-label="Messages" style={{ listStyle: 'none', padding: 0 }}>
            {posts.map((post) => (
              <Group key={post.id} component="li" gap="sm" align="baseline" wrap="nowrap" fz="sm" py={2}>
                <Text span size="xs" c="dimmed" miw={48}>
                  <Time at={post.create_at} />
                </Text>
                <Text span size="sm" lineClamp={2}>
                  {post.message || '(attachment)'}
                </Text>
              </Group>
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}
