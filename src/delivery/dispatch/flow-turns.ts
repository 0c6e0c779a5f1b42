import type { OpenStatus } from './delivery.entity.js';
import type { Flow } from './flow.js';
import type { Standing } from './lane-calls.js';

/** Flows that may call, those that were served last at the end. */
export type WaitingFlows = Set<Flow>;

/** Whose turn it is among the flows of a lane that may call. Those without a running call come before the others. */
export class FlowTurns {
  private readonly waiting: Readonly<Record<OpenStatus, Readonly<Record<Standing, Waiting>>>> = {
    pending: { trusted: new Waiting(), unknown: new Waiting(), suspect: new Waiting() },
    retrying: { trusted: new Waiting(), unknown: new Waiting(), suspect: new Waiting() },
  };

  /** Call it whenever a flow gets work, a place or another standing. */
  refresh(flow: Flow): void {
    const { hasPlace, running, standing } = flow.calls;
    for (const source of flow.sources) {
      const { idle, busy } = this.waiting[source.status][standing];
      const canCall = hasPlace && source.queue.size > 0;
      const place = canCall ? (running === 0 ? idle : busy) : undefined;
      if (source.waitsIn === place) continue;
      source.waitsIn?.delete(flow);
      place?.add(flow);
      source.waitsIn = place;
    }
  }

  /** Puts a flow behind the others that wait. */
  served(flow: Flow): void {
    for (const source of flow.sources) {
      source.waitsIn?.delete(flow);
      source.waitsIn = undefined;
    }
    this.refresh(flow);
  }

  /** The next flow of that standing that may call for a delivery of that status. */
  next(status: OpenStatus, standing: Standing, isIdle: boolean): Flow | undefined {
    const { idle, busy } = this.waiting[status][standing];
    for (const flow of idle) return flow;
    if (!isIdle) for (const flow of busy) return flow;
    return undefined;
  }
}

class Waiting {
  readonly idle: WaitingFlows = new Set();
  readonly busy: WaitingFlows = new Set();
}
