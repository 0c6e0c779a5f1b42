import { endpointLane } from '../../delivery/dispatch/delivery-kind.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';

export type CalledHook = Pick<
  OutgoingHook,
  | 'id'
  | 'createAt'
  | 'teamId'
  | 'displayName'
  | 'callbackUrls'
  | 'disabledUrls'
  | 'failingUrls'
  | 'disabledReason'
  | 'lastFailureAt'
>;

/** The states of an endpoint, or of a webhook's URLs there; worst first. */
export const ENDPOINT_STATES = ['disabled', 'failing', 'ok'] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

interface Standing {
  readonly state: EndpointState;
  /** When the first failing URL began to fail; 0 if none does. */
  readonly since: number;
  readonly reason: string;
  readonly urls: number;
  readonly failingUrls: number;
  readonly disabledUrls: number;
  /** Accurate to an hour; 0 if nothing fails. */
  readonly lastFailureAt: number;
}

export interface EndpointUse extends Standing {
  readonly hookId: string;
  readonly createAt: number;
  readonly teamId: string;
  readonly displayName: string;
}

export interface EndpointSummary extends Standing {
  readonly endpoint: string;
  readonly hookCount: number;
}

/** The endpoints that hooks call. They are derived from the hooks and stored nowhere. */
export class EndpointIndex {
  private readonly uses = new Map<string, Map<string, EndpointUse>>();
  private readonly endpointsOf = new Map<string, Iterable<string>>();
  private readonly summaries = new Map<string, EndpointSummary>();
  private ordered: readonly EndpointSummary[] | undefined;

  set(hook: CalledHook): void {
    this.remove(hook.id);
    const calledAt = new Map<string, string[]>();
    for (const url of hook.callbackUrls) {
      const endpoint = endpointLane(url);
      calledAt.set(endpoint, [...(calledAt.get(endpoint) ?? []), url]);
    }
    for (const [endpoint, called] of calledAt) {
      const uses = this.uses.get(endpoint) ?? new Map<string, EndpointUse>();
      this.uses.set(endpoint, uses.set(hook.id, useOf(hook, called)));
      this.summaries.delete(endpoint);
    }
    this.endpointsOf.set(hook.id, [...calledAt.keys()]);
  }

  remove(id: string): void {
    for (const endpoint of this.endpointsOf.get(id) ?? []) {
      const uses = this.uses.get(endpoint);
      uses?.delete(id);
      if (uses?.size === 0) this.uses.delete(endpoint);
      this.summaries.delete(endpoint);
    }
    this.endpointsOf.delete(id);
    this.ordered = undefined;
  }

  /** Disabled endpoints first, then failing ones, then the rest, each sorted by name. */
  all(): readonly EndpointSummary[] {
    this.ordered ??= [...this.uses.keys()].map((endpoint) => this.summary(endpoint)).sort(byUrgency);
    return this.ordered;
  }

  /** The state of an endpoint; `ok` if no hook calls it. */
  summary(endpoint: string): EndpointSummary {
    const known = this.summaries.get(endpoint);
    if (known) return known;
    const uses = [...(this.uses.get(endpoint)?.values() ?? [])];
    const summary = { endpoint, hookCount: uses.length, ...together(uses) };
    if (uses.length > 0) this.summaries.set(endpoint, summary);
    return summary;
  }

  /** Up to `limit` hooks that call an endpoint: failing ones first, then the oldest. */
  usesOf(endpoint: string, limit: number): readonly EndpointUse[] {
    return [...(this.uses.get(endpoint)?.values() ?? [])].sort(byUrgencyOfUse).slice(0, limit);
  }
}

function useOf(hook: CalledHook, called: readonly string[]): EndpointUse {
  const { id: hookId, createAt, teamId, displayName, failingUrls } = hook;
  const disabled = called.filter((url) => hook.disabledUrls.includes(url));
  const failing = called.filter((url) => failingUrls[url] !== undefined && !disabled.includes(url));
  const since = called.flatMap((url) => failingUrls[url] ?? []);
  const counts = { urls: called.length, failingUrls: failing.length, disabledUrls: disabled.length };
  const state = stateOf(counts);
  return {
    hookId,
    createAt,
    teamId,
    displayName,
    ...counts,
    state,
    since: since.length > 0 ? Math.min(...since) : 0,
    reason: disabled.length > 0 ? hook.disabledReason : '',
    lastFailureAt: state === 'ok' ? 0 : hook.lastFailureAt,
  };
}

function together(uses: readonly EndpointUse[]): Standing {
  const counts = { urls: 0, failingUrls: 0, disabledUrls: 0 };
  let [since, lastFailureAt, reason] = [0, 0, ''];
  for (const use of uses) {
    counts.urls += use.urls;
    counts.failingUrls += use.failingUrls;
    counts.disabledUrls += use.disabledUrls;
    lastFailureAt = Math.max(lastFailureAt, use.lastFailureAt);
    if (use.since > 0) since = since === 0 ? use.since : Math.min(since, use.since);
    reason ||= use.reason;
  }
  return { ...counts, state: stateOf(counts), since, lastFailureAt, reason };
}

function stateOf({
  urls,
  failingUrls,
  disabledUrls,
}: Pick<Standing, 'urls' | 'failingUrls' | 'disabledUrls'>): EndpointState {
  if (urls > 0 && disabledUrls === urls) return 'disabled';
  return failingUrls + disabledUrls > 0 ? 'failing' : 'ok';
}

const rank = ({ state }: Standing): number => ENDPOINT_STATES.indexOf(state);

function byUrgency(one: EndpointSummary, other: EndpointSummary): number {
  return rank(one) - rank(other) || (one.endpoint < other.endpoint ? -1 : 1);
}

function byUrgencyOfUse(one: EndpointUse, other: EndpointUse): number {
  return rank(one) - rank(other) || one.createAt - other.createAt || (one.hookId < other.hookId ? -1 : 1);
}
