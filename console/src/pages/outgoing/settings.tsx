import { Badge, Code, Group, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { ChannelLink } from '../../parts/channel-link';
import { Facts } from '../../parts/facts';
import { AUTH_TYPES } from './call-values';
import { describeEvents } from './event-fields';
import { MATCHES, type OutgoingHook } from './outgoing-queries';
import { Section } from './section';

/** All settings of a webhook, to read. */
export function Settings({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const { type = '', ...auth } = hook.auth ?? {};
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" verticalSpacing={0}>
      <Section title="What triggers it">
        <Facts
          of={{
            'Listens in': <ListensIn hook={hook} />,
            Triggers: <TriggerRule hook={hook} />,
            Events: describeEvents(hook.events),
            'Bots and webhooks': hook.include_bots ? 'Their messages are events, too' : 'Ignored',
          }}
        />
      </Section>
      <Section title="What is sent">
        <Facts
          of={{
            'Sent as': hook.content_type,
            Headers:
              hook.headers.length > 0 &&
              hook.headers.map(({ name, secret, value }) => (
                <div key={name}>
                  <Code>{secret ? `${name}: ••••••` : `${name}: ${value}`}</Code>
                </div>
              )),
            Authentication: AUTH_TYPES[type]?.title ?? 'None',
            ...Object.fromEntries(
              Object.entries(auth).map(([name, value]) => [
                AUTH_TYPES[type]?.inputs[name]?.label ?? name,
                String(value),
              ]),
            ),
          }}
        />
      </Section>
      <Section title="How it is delivered">
        <Facts
          of={{
            Delivery: hook.delivery === 'pull' ? 'Pulled by programs' : 'The server calls the URLs',
            URLs: hook.callback_urls.map((url) => (
              <div key={url}>
                <Code>{url}</Code>
              </div>
            )),
            Order: hook.ordering === 'channel' ? 'In order within each channel' : 'In any order',
            'Rate limit':
              hook.requests_per_second === 0 ? 'None' : `${hook.requests_per_second} calls per second`,
          }}
        />
      </Section>
      <Section title="Replies">
        <Facts
          of={{ 'Shown as': hook.username || 'The owner of the webhook', Picture: hook.icon_url || 'None' }}
        />
      </Section>
    </SimpleGrid>
  );
}

/** The channels in which a webhook listens. */
export function ListensIn({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  if (hook.channel_id === '') return <span>All public channels</span>;
  return <ChannelLink teamId={hook.team_id} channelId={hook.channel_id} />;
}

/** Which messages trigger a webhook. */
export function TriggerRule({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  if (hook.trigger_words.length === 0) return 'Every message in the channel';
  return (
    <>
      <Group gap={4}>
        {hook.trigger_words.map((word) => (
          <Badge
            key={word}
            variant="default"
            size="lg"
            fz="sm"
            h="auto"
            styles={{ label: { whiteSpace: 'normal' } }}
          >
            {word}
          </Badge>
        ))}
      </Group>
      <div>{MATCHES[hook.trigger_when]}</div>
    </>
  );
}
