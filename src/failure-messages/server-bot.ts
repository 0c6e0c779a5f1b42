import { Injectable } from '@nestjs/common';
import { ChannelRecords } from '../messaging/channels/channel-records.js';
import { propsOfAuthor } from '../messaging/posts/content/props.js';
import { PostContentService } from '../messaging/posts/post-content.service.js';
import { PostWriter } from '../messaging/posts/writer/post-writer.js';
import type { User } from '../messaging/users/user.entity.js';
import { botEmail } from '../messaging/users/user-rules.js';
import { UserRecords } from '../messaging/users/user-records.js';
import { idOf, newId } from '../platform/common/ids.js';

const BOT_ID = idOf('the bot of the server itself');
const USERNAME = 'hookline';

/** The server's own account, created on first use. It only writes direct messages. */
@Injectable()
export class ServerBot {
  constructor(
    private readonly users: UserRecords,
    private readonly channels: ChannelRecords,
    private readonly content: PostContentService,
    private readonly writer: PostWriter,
  ) {}

  /** Sends a direct message in the open unit of work. No-op if an admin has disabled or converted the bot. */
  async write(userId: string, message: string): Promise<void> {
    const bot = (await this.users.find(BOT_ID)) ?? (await this.create());
    if (!bot.isBot || bot.deleteAt > 0) return;
    const {
      id: channelId,
      type: channelType,
      teamId,
    } = await this.channels.getOrCreateDirect(bot.id, userId);
    const raw = { teamId, channelId, channelType, authorId: bot.id, message, type: '', isHook: false };
    const { mentions, ...enriched } = await this.content.enrich({ ...raw, props: propsOfAuthor(bot) });
    const draft = { userId: bot.id, channelId, message, ...enriched, ...(mentions ? { mentions } : {}) };
    await this.writer.write({ drafts: [draft], origin: 'system' });
  }

  private async create(): Promise<User> {
    return this.users.createBot({
      id: BOT_ID,
      username: await this.freeName(),
      displayName: 'Hookline',
      description: 'Tells of webhooks and connections that fail.',
      ownerId: '',
    });
  }

  /** The bot's name is reserved, but another account may have its email address. */
  private async freeName(): Promise<string> {
    for (const name of [USERNAME, `${USERNAME}-${BOT_ID.slice(0, 8)}`]) {
      const holder =
        (await this.users.findByUsername(name)) ?? (await this.users.findByEmail(botEmail(name)));
      if (!holder) return name;
    }
    return `${USERNAME}-${newId()}`;
  }
}
