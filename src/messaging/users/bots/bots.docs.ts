import type { OperationOptions } from '../../../platform/common/dto/operation.js';
import { UserDto } from '../dto/user.dto.js';
import { BotDto } from './dto/bot.dto.js';

/** Who may call the operations. */
export const WHO = {
  creates: '`create_bot`, but no bot',
  reads: '`read_bots` for the own ones, `read_others_bots` for others; 404 without',
  lists: '`read_bots` lists the own ones, `read_others_bots` all',
  manages: '`manage_bots` for the own ones, `manage_others_bots` for others, unless they may do more',
};

/** What the API description says of the operations. */
export const DOCS = {
  createBot: {
    summary: 'Create a bot',
    description:
      'An account for a program: it has tokens and webhooks, and nobody signs in with it. The caller owns it.',
    created: BotDto,
  },
  getBots: { summary: 'List bots', ok: [BotDto] },
  getBot: { summary: 'Get a bot', ok: BotDto, errors: [404] },
  patchBot: { summary: 'Change a bot', description: 'What is absent stays.', ok: BotDto, errors: [404] },
  enableBot: { summary: 'Enable a bot', ok: BotDto, errors: [404] },
  disableBot: {
    summary: 'Disable a bot',
    description:
      'Its tokens stop working until it is enabled again. The same happens when its owner is deactivated.',
    ok: BotDto,
    errors: [404],
  },
  assignBot: {
    summary: 'Give a bot to another owner',
    description: 'The new owner is a person of this server.',
    ok: BotDto,
    errors: [404],
  },
  convertBotToUser: {
    summary: 'Make a bot a person',
    description: 'With the password of the body one can sign in with it from now on. Its tokens stay.',
    ok: UserDto,
    errors: [404],
  },
  convertUserToBot: {
    summary: 'Make a person a bot',
    description: 'Ends its sessions and removes its password. Its tokens and webhooks stay.',
    ok: BotDto,
    errors: [404],
  },
} satisfies Record<string, OperationOptions>;
