import { Injectable } from '@nestjs/common';
import { ChannelMembersRepository } from './channel-members.repository.js';
import type { Channel } from './channel.entity.js';
import { addedToTooManyChannels, tooManyBegunByOthers, tooManyChannelsOfUser } from './channels.errors.js';
import { ChannelsSettings } from './channels.settings.js';

/** The shares of a user's limit that others may use: users cannot leave direct and group channels. */
const FOR_OTHERS = 1 / 2;
const FOR_GROUPS_OF_OTHERS = 1 / 4;
const FOR_WEBHOOKS = 1 / 4;

/**
 * Limits how many channels a user can be in (docs/contract/messaging.md#room-for-channels). The account's row
 * must be locked, so that concurrent calls cannot exceed a limit.
 */
@Injectable()
export class ChannelRoom {
  constructor(
    private readonly members: ChannelMembersRepository,
    private readonly settings: ChannelsSettings,
  ) {}

  /** `isByOther`: another user adds the user. Throws `tooManyChannelsOfUser`, `addedToTooManyChannels`. */
  async require(userId: string, isByOther = false): Promise<void> {
    const { maxChannelsPerUser } = this.settings;
    const count = await this.members.countOfUser(userId);
    if (count >= maxChannelsPerUser) throw tooManyChannelsOfUser(maxChannelsPerUser);
    const maxByOthers = Math.floor(maxChannelsPerUser * FOR_OTHERS);
    if (isByOther && count >= maxByOthers) throw addedToTooManyChannels(maxByOthers);
  }

  /** Like `require` for a new direct or group channel of the user. Also throws `tooManyBegunByOthers`. */
  async requireFor({ type, creatorId }: Channel, userId: string): Promise<void> {
    await this.require(userId);
    if (creatorId === userId) return;
    await this.requirePart(userId, 'all', FOR_OTHERS);
    if (type === 'G') await this.requirePart(userId, 'group', FOR_GROUPS_OF_OTHERS);
    if (creatorId === '') await this.requirePart(userId, 'webhook', FOR_WEBHOOKS);
  }

  private async requirePart(userId: string, kind: 'all' | 'group' | 'webhook', part: number): Promise<void> {
    const limit = Math.floor(this.settings.maxChannelsPerUser * part);
    if ((await this.members.countBegunByOthers(userId, kind)) >= limit)
      throw tooManyBegunByOthers(kind, limit);
  }
}
