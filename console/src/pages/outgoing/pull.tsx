import type { ReactNode } from 'react';
import { siteAddress } from '../../api/site';
import { Code } from '../../parts/code';
import { quoted } from '../deliveries/curl';
import type { OutgoingHook } from './outgoing-queries';
import { Section } from './section';

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
    <>
      <Section title="Forward to a local program" description="It gets the same headers and body as a call.">
        <Code label="the command" text={listen} secret={token} />
      </Section>
      <Section
        title="Pull and acknowledge"
        description="A pulled delivery is due again after its lease, unless it is acknowledged."
      >
        <Code label="the pull" text={post('pull', { limit: 10, wait: '20s', lease: '30s' })} secret={token} />
        <Code label="the acknowledgement" text={post('ack', { lease_ids: ['LEASE_ID'] })} secret={token} />
      </Section>
    </>
  );
}
