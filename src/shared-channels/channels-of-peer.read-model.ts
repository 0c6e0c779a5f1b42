import { Injectable } from '@nestjs/common';
import { Channel } from '../messaging/channels/channel.entity.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { SharedChannelRemote } from './shared-channel.entity.js';

/** Channels that a peer has shared with this server; joins shares and channels. */
@Injectable()
export class ChannelsOfPeerReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Counts unarchived channels that came over a connection, including ones that are no longer shared. */
  count(remoteId: string): Promise<number> {
    return this.unitOfWork.manager
      .getRepository(SharedChannelRemote)
      .createQueryBuilder('share')
      .innerJoin(Channel, 'channel', 'channel.id = share.channelId AND channel.deleteAt = 0')
      .where('share.remoteId = :remoteId AND share.isFromPeer = :yes', { remoteId, yes: true })
      .getCount();
  }
}
