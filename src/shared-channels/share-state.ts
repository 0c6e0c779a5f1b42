import type { ConnectionLag } from './share-lag.read-model.js';
import type { SharedChannelRemote } from './shared-channel-remote.entity.js';

/** What has become of an invite, as in the API. */
export const INVITE_STATES = ['accepted', 'pending', 'failed', 'ended'] as const;
export type InviteState = (typeof INVITE_STATES)[number];

/** A share, and how far the peer is behind. */
export interface ShareState {
  readonly share: SharedChannelRemote;
  readonly inviteState: InviteState;
  readonly inviteError: string;
  readonly pendingCount: number;
  readonly pendingIsCut: boolean;
  readonly oldestPendingSeconds: number;
  readonly pendingError: string;
}

/** The state of a share at a time. */
export function stateOf(share: SharedChannelRemote, lag: ConnectionLag, now: number): ShareState {
  const { count = 0, oldestAt = 0, isInviteWaiting = false } = lag.channels.get(share.channelId) ?? {};
  const inviteState = inviteStateOf(share, isInviteWaiting, lag.isCut);
  return {
    share,
    inviteState,
    inviteError: inviteState === 'failed' ? share.inviteError : inviteState === 'pending' ? lag.error : '',
    pendingCount: count,
    pendingIsCut: lag.isCut,
    oldestPendingSeconds: count === 0 ? 0 : Math.max(0, Math.floor((now - oldestAt) / 1000)),
    pendingError: count === 0 ? '' : lag.error,
  };
}

/** An invite that is not accepted, not refused and does not wait was refused by a peer of an earlier version. */
function inviteStateOf(
  { deleteAt, isInviteAccepted, inviteError }: SharedChannelRemote,
  isWaiting: boolean,
  isCut: boolean,
): InviteState {
  if (deleteAt > 0) return 'ended';
  if (isWaiting) return 'pending';
  if (inviteError !== '') return 'failed';
  if (isInviteAccepted) return 'accepted';
  return isCut ? 'pending' : 'failed';
}
