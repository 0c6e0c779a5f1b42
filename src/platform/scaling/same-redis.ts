import type { ChangeLog } from '../database/changes/change-log.js';
import type { Bus } from './bus.js';

const TOPIC = 'redis';
/** A process that has said nothing for so long is gone, or has lost its database. */
const FORGOTTEN_AFTER_MS = 45_000;
/** After a failover, the processes learn of the other server one after the other. */
const MIN_DIFFERENT = 2;

interface Peer {
  readonly heardAt: number;
  /** How often in a row it has had another Redis than this process. */
  readonly different: number;
}

/**
 * Notices that processes of one database have different servers as their Redis. Each tells the others by the change log,
 * which needs no Redis, which one it has: by the id that a Redis server gives itself at its start.
 */
export class SameRedis {
  private readonly peers = new Map<string, Peer>();
  private own = '';

  constructor(
    private readonly changes: ChangeLog,
    private readonly bus: Pick<Bus, 'processId'>,
  ) {
    changes.on(TOPIC, ({ process, id }) => this.hear(String(process), String(id)));
  }

  /** Sentences that say what is wrong, and what to do. */
  get faults(): readonly string[] {
    const now = performance.now();
    for (const [process, { heardAt }] of this.peers)
      if (now - heardAt >= FORGOTTEN_AFTER_MS) this.peers.delete(process);
    const isDifferent = [...this.peers.values()].some(({ different }) => different >= MIN_DIFFERENT);
    return isDifferent
      ? [
          'Another process of this database has another Redis, so events of one are not seen in the other, and deliveries begin late. Give all processes the same REDIS_URL, and restart those that had another.',
        ]
      : [];
  }

  /** Call it now and then with the id of the server; empty if it is not known. */
  tell(id: string): void {
    if (id !== this.own) this.peers.clear();
    this.own = id;
    if (id !== '') this.changes.append({ topic: TOPIC, body: { process: this.bus.processId, id } });
  }

  private hear(process: string, id: string): void {
    const different = id === this.own ? 0 : (this.peers.get(process)?.different ?? 0) + 1;
    if (this.own !== '') this.peers.set(process, { heardAt: performance.now(), different });
  }
}
