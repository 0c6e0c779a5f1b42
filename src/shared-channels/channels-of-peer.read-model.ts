import { Injectable } from '@nestjs/common';
import { Channel } from '../messaging/channels/channel.entity.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { SharedChannelRemote } from './shared-channel-remote.entity.js';

/** The channels that a peer has brought here, which depends on shares and on channels. */
@Injectable()
export class ChannelsOfPeerReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Those that came over a connection and are not archived, also if they are not shared any more. */
  count(remoteId: string): Promise<number> {
    return this.unitOfWork.manager
      .getRepository(SharedChannelRemote)
      .createQueryBuilder('share')
      .innerJoin(Channel, 'channel', 'channel.id = share.channelId AND channel.deleteAt = 0')
      .where('share.remoteId = :remoteId AND share.isFromPeer = :yes', { remoteId, yes: true })
      .getCount();
  }
}
