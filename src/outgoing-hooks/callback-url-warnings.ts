import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { GuardedConnector } from '../delivery/outbound/guarded-connector.js';

/** Nobody waits for name servers to learn that a webhook is saved. */
const MAX_WAIT_MS = 500;

/**
 * Says which callback URLs will not be called as things are: those of internal addresses that are not allowed, and of the
 * server itself. A name that is not resolved within half a second is not judged.
 */
@Injectable()
export class CallbackUrlWarnings {
  constructor(private readonly connector: GuardedConnector) {}

  async of(urls: readonly string[]): Promise<string[]> {
    const refused = { internal: new Set<string>(), own: new Set<string>() };
    const judge = async (text: string): Promise<void> => {
      const url = new URL(text);
      const refusal = await this.connector.refusalOf(url);
      if (refusal) refused[refusal.isSelf ? 'own' : 'internal'].add(url.hostname.replace(/^\[|\]$/g, ''));
    };
    const isJudged = new AbortController();
    const late = delay(MAX_WAIT_MS, undefined, { signal: isJudged.signal });
    await Promise.race([Promise.all(urls.filter((url) => URL.canParse(url)).map(judge)), late]);
    isJudged.abort();
    return [
      ...said(refused.internal, 'ALLOWED_INTERNAL_HOSTS does not name it'),
      ...said(refused.own, 'it is this server itself'),
    ];
  }
}

function said(hosts: ReadonlySet<string>, why: string): string[] {
  return hosts.size === 0 ? [] : [`callback_urls: ${[...hosts].join(', ')} will not be called; ${why}`];
}
