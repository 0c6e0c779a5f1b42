import type { Lane } from './lane.js';

interface Places {
  running: number;
  readonly waiting: Set<Lane>;
}

/** Limits the calls of ordered lanes to one endpoint, which can have any number of such lanes. */
export class EndpointPlaces {
  private readonly endpoints = new Map<string, Places>();

  constructor(private readonly most: number) {}

  /** Whether a lane may call. If not, `freed` returns it later. */
  hasPlace(lane: Lane): boolean {
    const places = this.of(lane);
    if (!places || places.running < this.most) return true;
    places.waiting.add(lane);
    return false;
  }

  started(lane: Lane): void {
    if (lane.endpoint === undefined) return;
    const places = this.of(lane) ?? { running: 0, waiting: new Set<Lane>() };
    places.running++;
    places.waiting.delete(lane);
    this.endpoints.set(lane.endpoint, places);
  }

  /** Ends a call. Returns the lane that has waited longest for its place. */
  freed(lane: Lane): Lane | undefined {
    const places = this.of(lane);
    if (!places) return undefined;
    places.running--;
    const [next] = places.waiting;
    if (next) places.waiting.delete(next);
    else if (places.running === 0) this.endpoints.delete(lane.endpoint ?? '');
    return next;
  }

  private of({ endpoint }: Lane): Places | undefined {
    return endpoint === undefined ? undefined : this.endpoints.get(endpoint);
  }
}
