import { Code, Grid, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Facts } from '../../parts/facts';
import { Time } from '../../parts/time';
import { CallStats, hookStats } from './call-stats';
import { UrlState } from './callback-urls';
import { hookHealth, type OutgoingHook } from './outgoing-queries';
import { Resend } from './resend';
import { Section } from './section';
import { ListensIn, TriggerRule } from './settings';

/** The API counts no further. */
const MAX_COUNTED = 1_000;

/** Statistics and health of a webhook. */
export function Overview({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const navigate = useNavigate();
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <CallStats
          query={(range) => hookStats(hook.id, range)}
          range={undefined}
          onSelect={({ start, end }) =>
            void navigate({
              to: '.',
              search: { tab: 'deliveries', since: `${start}`, ...(end && { before: `${end}` }) },
            })
          }
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Section title="Health">
          <Health hook={hook} />
          <Resend of={{ hookId: hook.id }} />
        </Section>
      </Grid.Col>
    </Grid>
  );
}

function Health({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const { data: health } = useQuery(hookHealth(hook.id));
  const since = new Map(health?.urls.map((one) => [one.url, one.failing_since]));
  return (
    <Facts
      of={{
        'Listens in': <ListensIn hook={hook} />,
        Triggers: <TriggerRule hook={hook} />,
        [hook.delivery === 'pull' ? 'Delivery' : 'URLs']:
          hook.delivery === 'pull'
            ? 'Pulled by programs'
            : hook.callback_urls.map((url) => (
                <Group key={url} gap={6} mb={2}>
                  <Code>{url}</Code>
                  <UrlState hook={hook} url={url} />
                  {(since.get(url) ?? 0) > 0 && (
                    <Text span size="xs" c="dimmed">
                      since <Time at={since.get(url) ?? 0} isInText />
                    </Text>
                  )}
                </Group>
              )),
        'Last success': health && <Time at={health.last_success_at} none="none" isInText />,
        Waiting: health && health.waiting > 0 && (
          <>
            <Link
              to="/outgoing/$hookId"
              params={{ hookId: hook.id }}
              search={{ tab: 'deliveries', status: 'pending' }}
            >
              {health.waiting}
              {health.waiting >= MAX_COUNTED && ' or more'}
            </Link>
            , the oldest since <Time at={health.oldest_waiting_at} isInText />
          </>
        ),
      }}
    />
  );
}
