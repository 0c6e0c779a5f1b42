import { Injectable } from '@nestjs/common';
import { idOf, newId } from '../../platform/common/ids.js';
import type { Channel } from '../channels/channel.entity.js';
import { DirectChannelsService } from '../channels/direct-channels.service.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { botEmail } from '../users/user-rules.js';
import { propsOfAuthor } from './content/props.js';
import { PostContentService } from './post-content.service.js';
import { PostWriter } from './writer/post-writer.js';

const BOT_ID = idOf('the bot of the server itself');
const USERNAME = 'hookline';

/** The server's own account, created on first use. It writes nothing if an admin has disabled or converted it. */
@Injectable()
export class ServerBot {
  constructor(
    private readonly users: UsersService,
    private readonly channels: DirectChannelsService,
    private readonly content: PostContentService,
    private readonly writer: PostWriter,
  ) {}

  /** Sends a direct message in the open unit of work. */
  async write(userId: string, message: string): Promise<void> {
    const bot = await this.active();
    if (bot)
      await this.send(bot, await this.channels.getOrCreate(bot.id, userId, { byWebhook: true }), message);
  }

  async post(channel: Channel, message: string): Promise<void> {
    const bot = await this.active();
    if (bot) await this.send(bot, channel, message);
  }

  private async send(bot: User, channel: Channel, message: string): Promise<void> {
    const raw = { channel, authorId: bot.id, message, props: propsOfAuthor(bot) };
    const draft = { userId: bot.id, channelId: channel.id, message, ...(await this.content.enrich(raw)) };
    await this.writer.write({ drafts: [draft], origin: 'system' });
  }

  private async active(): Promise<User | undefined> {
    const bot = (await this.users.find(BOT_ID)) ?? (await this.create());
    return bot.isBot && bot.deleteAt === 0 ? bot : undefined;
  }

  private async create(): Promise<User> {
    return this.users.createBot({
      id: BOT_ID,
      username: await this.freeName(),
      displayName: 'Hookline',
      description: 'Reports failing webhooks and connections.',
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
