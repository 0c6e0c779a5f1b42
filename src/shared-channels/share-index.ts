import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DatabaseCache, shortKeys } from '../platform/database/database-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { RemoteClusterRecords } from '../remote-cluster/remote-cluster-records.js';
import { SharedChannelRemote } from './shared-channel.entity.js';
import type { SharedChannelRemoteDto } from './shared-channels.dto.js';
import { SharedChannelsRepository } from './shared-channels.repository.js';
import type { ConnectionLag } from './shared-channels.read-model.js';

type Shares = ReadonlyMap<string, readonly SharedChannelRemote[]>;

const MAX_BYTES = 64 * 1024 * 1024;
const ALL = 'all';
const NONE: readonly SharedChannelRemote[] = [];

/** The shares of each channel, kept in memory because every post needs them. */
@Injectable()
export class ShareIndex implements OnModuleInit {
  private readonly cache: DatabaseCache<Shares>;

  constructor(
    private readonly repository: SharedChannelsRepository,
    private readonly clusters: RemoteClusterRecords,
    unitOfWork: UnitOfWork,
  ) {
    this.cache = new DatabaseCache(unitOfWork, {
      name: 'shares',
      maxBytes: MAX_BYTES,
      keys: shortKeys(ALL.length, new Map()),
    });
  }

  onModuleInit(): void {
    this.clusters.ofChannel = async (channelId) =>
      (await this.sharesOf(channelId)).map(({ remoteId }) => remoteId);
  }

  async sharesOf(channelId: string): Promise<readonly SharedChannelRemote[]> {
    const shares = this.cache.peek(ALL) ?? (await this.cache.get(ALL, () => this.load()));
    return shares.get(channelId) ?? NONE;
  }

  /** Whether the channel is known to be unshared. Synchronous: returns false if the index is not loaded. */
  isUnshared(channelId: string): boolean {
    return this.cache.peek(ALL)?.has(channelId) === false;
  }

  async isShared(channelId: string, remoteId: string): Promise<boolean> {
    return (await this.sharesOf(channelId)).some((share) => share.remoteId === remoteId);
  }

  /** Must be called after a share changes, in the same unit of work. */
  forget(): void {
    this.cache.clear();
  }

  private async load(): Promise<Shares> {
    const shares = new Map<string, SharedChannelRemote[]>();
    for (const share of await this.repository.listLive()) {
      const known = shares.get(share.channelId);
      if (known) known.push(share);
      else shares.set(share.channelId, [share]);
    }
    return shares;
  }
}

export const INVITE_STATES = ['accepted', 'pending', 'failed', 'ended'] as const;
export type InviteState = (typeof INVITE_STATES)[number];

/** What the API returns about a share besides its row: its invite, and how far behind the peer is. */
export type ShareState = Pick<
  SharedChannelRemoteDto,
  | 'invite_state'
  | 'invite_error'
  | 'pending_count'
  | 'pending_is_cut'
  | 'oldest_pending_seconds'
  | 'pending_error'
>;

/** The state of a share at a time. */
export function stateOf(share: SharedChannelRemote, lag: ConnectionLag, now: number): ShareState {
  const { count = 0, oldestAt = 0, isInviteWaiting = false } = lag.channels.get(share.channelId) ?? {};
  const state = inviteStateOf(share, isInviteWaiting, lag.isCut);
  return {
    invite_state: state,
    invite_error: state === 'failed' ? share.inviteError : state === 'pending' ? lag.error : '',
    pending_count: count,
    pending_is_cut: lag.isCut,
    oldest_pending_seconds: count === 0 ? 0 : Math.max(0, Math.floor((now - oldestAt) / 1000)),
    pending_error: count === 0 ? '' : lag.error,
  };
}

/** An invite that is neither accepted nor waiting was refused. */
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
