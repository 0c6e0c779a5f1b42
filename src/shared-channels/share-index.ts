import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DatabaseCache, shortKeys } from '../platform/database/database-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { ConnectionsOfChannels } from '../remote-cluster/connections-of-channels.js';
import { SharedChannelRemote } from './shared-channel-remote.entity.js';
import { SharedChannelsRepository } from './shared-channels.repository.js';

type Shares = ReadonlyMap<string, readonly SharedChannelRemote[]>;

const MAX_BYTES = 64 * 1024 * 1024;
const ALL = 'all';
const NONE: readonly SharedChannelRemote[] = [];

/** The shares of each channel, in memory because every post needs them. */
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

  /** Must be called after a change of a share, in the same unit of work. */
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
