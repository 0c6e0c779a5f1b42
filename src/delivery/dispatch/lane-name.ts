import { createHash } from 'node:crypto';

const MAX_LENGTH = 300;
const ORDERED = 'order:';
const FLOW_LENGTH = 16;

/** The lane of deliveries that must arrive in creation order. */
export function orderedLane(key: string): string {
  return `${ORDERED}${key}`;
}

/** Whether a lane preserves the order of its deliveries. */
export function isOrderedLane(name: string): boolean {
  return name.startsWith(ORDERED);
}

/** The lane of deliveries to one endpoint: the origin of its URL. */
export function endpointLane(url: string): string {
  return new URL(url).origin.slice(0, MAX_LENGTH);
}

/** A short key for an owner's deliveries to one URL, the same in every process. */
export function flowOf(ownerId: string, url: string): string {
  return createHash('sha256').update(`${ownerId} ${url}`).digest('base64url').slice(0, FLOW_LENGTH);
}
