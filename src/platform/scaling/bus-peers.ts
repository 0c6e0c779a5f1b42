interface Peer {
  readonly last: number;
  heardAt: number;
  /** It was silent for too long, or said goodbye. Its number is kept in case it was only slow. */
  isGone: boolean;
}

/** What a message reveals about its sender. */
export interface Heard {
  readonly isNew: boolean;
  /** An earlier message of the sender was missed. */
  readonly hasMissed: boolean;
}

/** A process sends several messages a second. */
const GONE_AFTER_MS = 3_000;
const FORGOTTEN_AFTER_MS = 10 * 60_000;

/** The other processes on the bus. Each numbers its messages, so a lost one is detected with the next. */
export class BusPeers {
  private readonly peers = new Map<string, Peer>();

  /**
   * Call it for each message. `last` is the number of the sender's last message; `isMessage` says whether it
   * is this one. Earlier messages of a new peer count as missed, unless `isBeginning`.
   */
  hear(id: string, last: number, isMessage: boolean, now: number, isBeginning: boolean): Heard {
    const known = this.peers.get(id);
    const before = known?.last ?? (isBeginning ? Infinity : 0);
    this.peers.set(id, { last: Math.max(known?.last ?? 0, last), heardAt: now, isGone: false });
    return { isNew: known?.isGone ?? true, hasMissed: last > before + (isMessage ? 1 : 0) };
  }

  /** Marks a process that said goodbye as gone. Returns whether it was present. */
  leave(id: string): boolean {
    const peer = this.peers.get(id);
    const wasThere = peer !== undefined && !peer.isGone;
    if (peer) peer.isGone = true;
    return wasThere;
  }

  /** Returns processes that have been silent for too long, each only once. */
  takeSilent(now: number): string[] {
    const silent: string[] = [];
    for (const [id, peer] of this.peers) {
      const silentMs = now - peer.heardAt;
      if (silentMs >= FORGOTTEN_AFTER_MS) this.peers.delete(id);
      if (peer.isGone || silentMs < GONE_AFTER_MS) continue;
      peer.isGone = true;
      silent.push(id);
    }
    return silent;
  }

  /** No process could be heard for a while: restarts their silence timers. */
  excuse(now: number): void {
    for (const peer of this.peers.values()) peer.heardAt = now;
  }
}
