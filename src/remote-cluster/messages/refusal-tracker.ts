/** A peer answers FAIL for temporary errors too. Its answer is final after this many in a row. */
const MAX_REFUSALS = 3;
const MAX_GROUPS = 1_000;

interface PeerState {
  /** The last refused message and its number of refusals. One is enough: messages to a peer are sent one at a time. */
  messageId: string;
  count: number;
  /** Groups with a finally refused message and no accepted one since. */
  readonly groups: Set<string>;
}

/** Decides when a peer's FAIL is final. Keyed by the row of the connection; kept in memory only. */
export class RefusalTracker {
  private readonly peers = new Map<string, PeerState>();

  /** Counts a refusal. Returns true if it is final: the third in a row, or one in a group that is refused already. */
  add(rowId: string, messageId: string, group: string | undefined): boolean {
    const peer = this.stateOf(rowId);
    peer.count = peer.messageId === messageId ? peer.count + 1 : 1;
    peer.messageId = messageId;
    const isKnown = group !== undefined && peer.groups.has(group);
    if (peer.count < MAX_REFUSALS && !isKnown) return false;
    if (group !== undefined && peer.groups.size < MAX_GROUPS) peer.groups.add(group);
    return true;
  }

  /** The peer has accepted a message of the group. */
  accepted(rowId: string, group: string | undefined): void {
    if (group !== undefined) this.peers.get(rowId)?.groups.delete(group);
  }

  forget(rowId: string): void {
    this.peers.delete(rowId);
  }

  private stateOf(rowId: string): PeerState {
    let peer = this.peers.get(rowId);
    if (!peer) this.peers.set(rowId, (peer = { messageId: '', count: 0, groups: new Set() }));
    return peer;
  }
}
