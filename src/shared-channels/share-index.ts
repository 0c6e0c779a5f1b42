import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DatabaseCache, shortKeys } from '../platform/database/database-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { ConnectionsOfChannels } from '../remote-cluster/remote-cluster-records.js';
import { SharedChannelRemote } from './shared-channel.entity.js';
import { SharedChannelsRepository } from './shared-channels.repository.js';
import type { ConnectionLag } from './share-lag.read-model.js';

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
    private readonly connections: ConnectionsOfChannels,
    unitOfWork: UnitOfWork,
  ) {
    this.cache = new DatabaseCache(unitOfWork, {
      name: 'shares',
      maxBytes: MAX_BYTES,
      keys: shortKeys(ALL.length, new Map()),
    });
  }

  onModuleInit(): void {
    this.connections.register(async (channelId) =>
      (await this.sharesOf(channelId)).map(({ remoteId }) => remoteId),
    );
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

/** The states of an invite, as in the API. */
export const INVITE_STATES = ['accepted', 'pending', 'failed', 'ended'] as const;
export type InviteState = (typeof INVITE_STATES)[number];

/** A share, and how far behind the peer is. */
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
