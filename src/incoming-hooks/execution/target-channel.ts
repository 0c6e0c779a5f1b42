import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { directName } from '../../messaging/channels/channel.rules.js';
import { ChannelRecords } from '../../messaging/channels/channel-records.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { failures } from './execution.errors.js';

/** Finds the channel for a payload, if the hook may post there (docs/contract/incoming-webhooks.md#target). */
@Injectable()
export class TargetChannel {
  constructor(
    private readonly channels: ChannelRecords,
    private readonly users: UserRecords,
    private readonly permissions: PermissionsService,
  ) {}

  /** The channel that `wanted` names; the hook's own if it is empty. Throws ExecutionFailed. */
  async resolve(hook: IncomingHook, wanted: string): Promise<Channel> {
    const channel = await this.find(hook, wanted);
    if (hook.channelLocked && channel.id !== hook.channelId) throw failures.locked();
    if (!(await this.users.find(hook.userId))) throw failures.ownerGone();
    if (channel.type !== 'O') {
      const owner = await this.permissions.subject(hook.userId);
      if (!(await this.permissions.canReadChannel(owner, channel.id))) throw failures.notReadable();
    }
    return channel;
  }

  /** Whether `resolve` would create a direct channel. */
  async isNewDirect(hook: IncomingHook, wanted: string): Promise<boolean> {
    if (!wanted.startsWith('@') || hook.channelLocked) return false;
    const user = await this.users.findByUsername(wanted.slice(1));
    return user !== null && !(await this.channels.findByName('', directName(hook.userId, user.id)));
  }

  private async find(hook: IncomingHook, wanted: string): Promise<Channel> {
    if (wanted.startsWith('@')) return this.direct(hook, wanted.slice(1));
    if (wanted !== '') {
      const named = await this.channels.findByName(hook.teamId, wanted.replace(/^#/, ''));
      if (!named) throw failures.unknownChannel();
      return named;
    }
    const own = await this.channels.find(hook.channelId);
    if (!own) throw failures.channelGone();
    return own;
  }

  private async direct(hook: IncomingHook, username: string): Promise<Channel> {
    const user = await this.users.findByUsername(username);
    if (!user) throw failures.unknownUser();
    if (hook.channelLocked) throw failures.locked(); // before the direct channel is created
    if (!(await this.users.find(hook.userId))) throw failures.ownerGone();
    return this.channels.getOrCreateDirect(hook.userId, user.id);
  }
}
