import type { JsonObject } from '../../../platform/common/json.js';
import type { Delivery } from '../delivery.entity.js';
import type { HiddenNames } from './hidden-names.js';

/** The deliveries affected by a cancellation: an owner's, to one URL or all, or those about subjects. */
export type Dropped =
  | { readonly ownerId: string; readonly url: string | undefined }
  | { readonly kind: string; readonly subjectIds: readonly string[] };

/** Returns a predicate for the affected deliveries. */
export function matcherOf(dropped: Dropped): (delivery: Delivery) => boolean {
  if ('subjectIds' in dropped) {
    const gone = new Set(dropped.subjectIds);
    return ({ kind, subjectId }) => kind === dropped.kind && gone.has(subjectId);
  }
  const { ownerId, url } = dropped;
  return (delivery) => delivery.ownerId === ownerId && (url === undefined || delivery.url === url);
}

/** The same as a message to other processes. */
export function messageOf(dropped: Dropped, { hashOf }: HiddenNames): JsonObject {
  if ('subjectIds' in dropped) return { kind: dropped.kind, subjectIds: [...dropped.subjectIds] };
  const { ownerId, url } = dropped;
  return { owner: hashOf(ownerId), ...(url === undefined ? {} : { url: hashOf(url) }) };
}

/** Returns a predicate for the deliveries affected by another process's message. */
export function matcherOfMessage(
  message: JsonObject,
  { hashOf }: HiddenNames,
): (delivery: Delivery) => boolean {
  const { kind, subjectIds, owner, url } = message;
  if (typeof kind === 'string' && Array.isArray(subjectIds)) {
    const gone = new Set<unknown>(subjectIds);
    return (delivery) => delivery.kind === kind && gone.has(delivery.subjectId);
  }
  const isOwner = remembered((ownerId) => hashOf(ownerId) === owner);
  const isUrl = remembered((of) => url === undefined || hashOf(of) === url);
  return (delivery) => isOwner(delivery.ownerId) && isUrl(delivery.url);
}

/** Caches results: many deliveries share an owner, and hashing takes a while. */
function remembered(matches: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    let is = known.get(text);
    if (is === undefined) known.set(text, (is = matches(text)));
    return is;
  };
}
