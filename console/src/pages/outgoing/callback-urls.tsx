import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import type { OutgoingHook } from './outgoing-queries';

const SHOWN = 2;

/** A webhook's hosts in a list, each with its state; failing ones come first. */
export function CallbackHosts({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  if (hook.delivery === 'pull') return <Text inherit>Pulled by programs</Text>;
  const urls = hook.callback_urls.toSorted((one, other) => badnessOf(hook, other) - badnessOf(hook, one));
  return (
    <div>
      {urls.slice(0, SHOWN).map((url) => (
        <Group key={url} title={url} gap={6}>
          {hostOf(url)} <UrlState hook={hook} url={url} />
        </Group>
      ))}
      {urls.length > SHOWN && (
        <Text size="xs" c="dimmed">
          and {urls.length - SHOWN} more
        </Text>
      )}
    </div>
  );
}

/** How bad the state of a URL is: 1 if calls fail, 2 if it is disabled. */
const badnessOf = (hook: OutgoingHook, url: string): number =>
  hook.disabled_urls.includes(url) ? 2 : Number(hook.failing_urls.includes(url));

/** State of a webhook's URL, unless it is fine. */
export function UrlState({ hook, url }: { readonly hook: OutgoingHook; readonly url: string }): ReactNode {
  const badness = badnessOf(hook, url);
  if (badness === 0) return null;
  return badness === 2 ? <Badge tone="bad">Disabled</Badge> : <Badge tone="warning">Failing</Badge>;
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
