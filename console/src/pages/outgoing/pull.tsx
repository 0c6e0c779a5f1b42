import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { siteAddress } from '../../api/site';
import { Code } from '../../parts/code';
import { quoted } from '../deliveries/curl';
import type { OutgoingHook } from './outgoing-queries';

/** Commands that pull the deliveries of a webhook. */
export function Pull({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const { id, token } = hook;
  const site = siteAddress().replace(/\/$/, '');
  const post = (route: string, body: object): string =>
    [
      `curl --request POST ${quoted(`${site}/api/v4/hooks/outgoing/${id}/${route}`)}`,
      `--header ${quoted(`Authorization: Bearer ${token || 'TOKEN'}`)}`,
      "--header 'Content-Type: application/json'",
      `--data ${quoted(JSON.stringify(body))}`,
    ].join(' \\\n  ');
  const listen = [
    `HOOKLINE_TOKEN=${token || 'TOKEN'} npx hookline listen --url ${quoted(site)}`,
    `--hook ${id} --forward http://localhost:3000`,
  ].join(' \\\n  ');
  return (
    <Paper withBorder p="md" fz="sm" component="section" aria-label="Pull" mb="lg">
      <Title order={2} size="h3" m={0}>
        Forward to a local program
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        It gets the same headers and body as a call.
      </Text>
      <Code label="the command" text={listen} secret={token} />
      <Title order={2} size="h3" m={0} mt="md">
        Pull and acknowledge
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        A pulled delivery is due again after its lease, unless it is acknowledged.
      </Text>
      <Code label="the pull" text={post('pull', { limit: 10, wait: '20s', lease: '30s' })} secret={token} />
      <Code label="the acknowledgement" text={post('ack', { lease_ids: ['LEASE_ID'] })} secret={token} />
    </Paper>
  );
}
