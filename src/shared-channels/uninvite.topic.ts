import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Topic, Topics } from '../remote-cluster/messages/topics.js';
import type { RemoteCluster } from '../remote-cluster/remote-cluster.entity.js';
import { parseChannelId } from './channel-invite.js';
import { SharedChannelsService, UNINVITE_TOPIC } from './shared-channels.service.js';

/** `sharedchannel_uninvite`: the peer has stopped sharing a channel. */
@Injectable()
export class UninviteTopic implements Topic<string>, OnModuleInit {
  readonly name = UNINVITE_TOPIC;

  constructor(
    private readonly topics: Topics,
    private readonly shared: SharedChannelsService,
  ) {}

  onModuleInit(): void {
    this.topics.register(this);
  }

  parse(payload: unknown): string {
    return parseChannelId(payload);
  }

  async receive(peer: RemoteCluster, channelId: string): Promise<null> {
    await this.shared.end(peer.remoteId, channelId);
    return null;
  }
}
