import { LRUCache } from 'lru-cache';
import { requireCallableUrl } from './callable-url.js';

/** Where a request goes. */
export interface CallTarget {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
}

/** Most calls go to few addresses, and to check and parse one takes longer than to find it here. */
const targets = new LRUCache<string, CallTarget>({ max: 1_000 });

/** The target of a call to a URL. Throws OutboundFailure `bad_url` if it cannot be called. */
export function requireTarget(text: string): CallTarget {
  const known = targets.get(text);
  if (known) return known;
  const { origin, pathname, search } = requireCallableUrl(text);
  const target = { origin, path: pathname + search };
  targets.set(text, target);
  return target;
}
