/** A refusal may pass: the peer says FAIL for both. After so many it is believed. */
const MAX_REFUSALS = 3;
const MAX_GROUPS = 1_000;

interface PeerRefusals {
  /** The message that was refused last, and how often; messages of a peer go out one after the other. */
  messageId: string;
  count: number;
  /** What the peer has refused messages about, and has taken none since. */
  readonly groups: Set<string>;
}

/** What peers have refused lately, by the rows of their connections. After a start nothing is known. */
export class Refusals {
  private readonly peers = new Map<string, PeerRefusals>();

  /** Notes a refusal; true when it was the last one that counts. */
  add(rowId: string, messageId: string, group: string | undefined): boolean {
    const peer = this.of(rowId);
    peer.count = peer.messageId === messageId ? peer.count + 1 : 1;
    peer.messageId = messageId;
    const isKnown = group !== undefined && peer.groups.has(group);
    if (peer.count < MAX_REFUSALS && !isKnown) return false;
    if (group !== undefined && peer.groups.size < MAX_GROUPS) peer.groups.add(group);
    return true;
  }

  /** The peer has taken a message of that group. */
  taken(rowId: string, group: string | undefined): void {
    if (group !== undefined) this.peers.get(rowId)?.groups.delete(group);
  }

  forget(rowId: string): void {
    this.peers.delete(rowId);
  }

  private of(rowId: string): PeerRefusals {
    let peer = this.peers.get(rowId);
    if (!peer) this.peers.set(rowId, (peer = { messageId: '', count: 0, groups: new Set() }));
    return peer;
  }
}
