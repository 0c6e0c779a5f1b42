import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BoundedCache } from '../platform/common/bounded-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { ConnectionsOfChannels } from '../remote-cluster/connections-of-channels.js';
import { SharedChannelRemote } from './shared-channel-remote.entity.js';
import { SharedChannelsRepository } from './shared-channels.repository.js';

type Shares = ReadonlyMap<string, readonly SharedChannelRemote[]>;

const ALL = 'all';
const NONE: readonly SharedChannelRemote[] = [];

/** Over which connections each channel is shared, from memory: every post asks. */
@Injectable()
export class ShareIndex implements OnModuleInit {
  private readonly cache = new BoundedCache<Shares>(1);

  constructor(
    private readonly repository: SharedChannelsRepository,
    private readonly connections: ConnectionsOfChannels,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The list of connections can be asked for those that share a channel. */
  onModuleInit(): void {
    this.connections.register(async (channelId) =>
      (await this.sharesOf(channelId)).map(({ remoteId }) => remoteId),
    );
  }

  async sharesOf(channelId: string): Promise<readonly SharedChannelRemote[]> {
    const shares = this.cache.peek(ALL) ?? (await this.read());
    return shares.get(channelId) ?? NONE;
  }

  /** Without a wait; false also when it would have to be looked up. */
  isUnshared(channelId: string): boolean {
    return this.cache.peek(ALL)?.has(channelId) === false;
  }

  async isShared(channelId: string, remoteId: string): Promise<boolean> {
    return (await this.sharesOf(channelId)).some((share) => share.remoteId === remoteId);
  }

  /** To be called after the commit of each change of a share. */
  forget(): void {
    this.cache.clear();
  }

  /** An open transaction reads for itself: a load that others have begun may be waiting for its connection. */
  private read(): Promise<Shares> {
    return this.unitOfWork.isOpen ? this.load() : this.cache.get(ALL, () => this.load());
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
