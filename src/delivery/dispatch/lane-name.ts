import { LRUCache } from 'lru-cache';

const MAX_LENGTH = 300;
const ORDERED = 'order:';
/** Each delivery asks, and most go to few addresses; to parse one takes longer than to find it here. */
const lanes = new LRUCache<string, string>({ max: 1_000 });

/** The lane of deliveries that must arrive in order of creation. */
export function orderedLane(key: string): string {
  return `${ORDERED}${key}`;
}

/** Whether a lane keeps the order of its deliveries. */
export function isOrderedLane(name: string): boolean {
  return name.startsWith(ORDERED);
}

/** The lane of deliveries to one endpoint: the origin of its URL. */
export function endpointLane(url: string): string {
  const known = lanes.get(url);
  if (known !== undefined) return known;
  const lane = new URL(url).origin.slice(0, MAX_LENGTH);
  lanes.set(url, lane);
  return lane;
}
