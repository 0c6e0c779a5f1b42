/** What is known of another process. */
interface Peer {
  /** The number of its last message. */
  last: number;
  heardAt: number;
  /** It said nothing for long, or goodbye. Its number is kept, in case it was only slow. */
  isGone: boolean;
}

/** What a message tells of its sender. */
export interface Heard {
  /** It was not known, or had gone. */
  readonly isNew: boolean;
  /** It has sent something that was not heard. */
  readonly hasMissed: boolean;
}

/** A process says something several times a second. */
const GONE_AFTER_MS = 3_000;
const FORGOTTEN_AFTER_MS = 10 * 60_000;

/** The other processes on the bus. Each numbers its messages, so a lost one is noticed with the next. */
export class BusPeers {
  private readonly peers = new Map<string, Peer>();

  /**
   * Call it with each message. `last` is the number of the sender's last message, and `isMessage` tells whether this is that
   * message. Messages of before `isBeginning` was over belong to nobody's gap.
   */
  hear(id: string, last: number, isMessage: boolean, now: number, isBeginning: boolean): Heard {
    const known = this.peers.get(id);
    const isNew = known === undefined || known.isGone;
    if (!known) {
      this.peers.set(id, { last, heardAt: now, isGone: false });
      return { isNew, hasMissed: !isBeginning && last > (isMessage ? 1 : 0) };
    }
    const hasMissed = last > known.last + (isMessage ? 1 : 0);
    known.last = Math.max(known.last, last);
    known.heardAt = now;
    known.isGone = false;
    return { isNew, hasMissed };
  }

  /** The sender has said goodbye. Returns whether it was there. */
  leave(id: string): boolean {
    const peer = this.peers.get(id);
    const wasThere = peer !== undefined && !peer.isGone;
    if (peer) peer.isGone = true;
    return wasThere;
  }

  /** Those that have said nothing for long. Each is given once. */
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

  /** Nobody could be heard for a while: their silence counts from now on. */
  excuse(now: number): void {
    for (const peer of this.peers.values()) peer.heardAt = now;
  }
}
