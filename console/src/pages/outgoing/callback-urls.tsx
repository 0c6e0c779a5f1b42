import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import type { OutgoingHook } from './outgoing-queries';

const SHOWN = 3;

/** A webhook's hosts in a list, each with its state; failing ones come first. */
export function CallbackHosts({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const urls = hook.callback_urls.toSorted((one, other) => badnessOf(hook, other) - badnessOf(hook, one));
  return (
    <>
      {urls.slice(0, SHOWN).map((url) => (
        <div key={url} title={url}>
          {hostOf(url)} <UrlState hook={hook} url={url} />
        </div>
      ))}
      {urls.length > SHOWN && <div className="muted">and {urls.length - SHOWN} more</div>}
    </>
  );
}

interface UrlStateProps {
  readonly hook: OutgoingHook;
  readonly url: string;
}

/** State of a webhook's URL, unless it is fine. */
export function UrlState({ hook, url }: UrlStateProps): ReactNode {
  if (hook.disabled_urls.includes(url)) return <Badge tone="bad">disabled</Badge>;
  if (hook.failing_urls.includes(url)) return <Badge tone="warning">failing</Badge>;
  return null;
}

function badnessOf(hook: OutgoingHook, url: string): number {
  if (hook.disabled_urls.includes(url)) return 2;
  return hook.failing_urls.includes(url) ? 1 : 0;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
