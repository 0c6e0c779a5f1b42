import { Injectable } from '@nestjs/common';
import { ChannelRecords } from '../../messaging/channels/channel-records.js';
import type { Actor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { PostsService } from '../../messaging/posts/posts.service.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import { PermissionDenied } from '../../platform/common/errors/common-errors.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { IncomingHookPermission } from '../incoming-hooks.permissions.js';
import { decodePayload } from '../payload/payload-decoder.js';
import { PayloadError } from '../payload/payload-error.js';
import type { KeptRequest } from './kept-request.entity.js';

/**
 * Who of those who manage a webhook may see what its calls carried (docs/contract/incoming-webhooks.md#kept-calls): it may
 * have written into direct messages and private channels of its owner.
 */
@Injectable()
export class KeptRequestsPolicy {
  constructor(
    private readonly permissions: PermissionsService,
    private readonly users: UserRecords,
    private readonly channels: ChannelRecords,
    private readonly posts: PostsService,
  ) {}

  /** Throws PermissionDenied. */
  async requireRead(actor: Actor, hook: IncomingHook, request: KeptRequest): Promise<void> {
    if (await this.isTrusted(actor, hook)) return;
    const { postIds } = request.content;
    const mayRead =
      postIds.length > 0
        ? this.canReadAll(actor, postIds)
        : this.canReadNamed(actor, hook, await channelOf(request));
    if (!(await mayRead)) throw new PermissionDenied(CommonPermission.ReadChannelContent);
  }

  /** The owner, and who manages the webhooks of everybody. */
  private async isTrusted(actor: Actor, { userId }: IncomingHook): Promise<boolean> {
    if (actor.userId === userId || actor.userId === (await this.users.personOf(userId))) return true;
    return this.permissions.hasOnSystem(actor, IncomingHookPermission.ManageOthersIncomingWebhooks);
  }

  private async canReadAll(actor: Actor, postIds: readonly string[]): Promise<boolean> {
    for (const id of postIds) {
      const post = await this.posts.findLive(id);
      if (!post || !(await this.permissions.canReadChannel(actor, post.channelId))) return false;
    }
    return true;
  }

  /** Whether the actor can read the channel that a refused call named, if there is one. */
  private async canReadNamed(
    actor: Actor,
    { teamId }: IncomingHook,
    wanted: string | undefined,
  ): Promise<boolean> {
    if (wanted === '') return true; // that of the webhook
    if (wanted === undefined || wanted.startsWith('@')) return false;
    const channel = await this.channels.findByName(teamId, wanted.replace(/^#/, ''));
    return !channel || channel.type === 'O' || this.permissions.canReadChannel(actor, channel.id);
  }
}

/** The channel that a call named; empty if it named none or cannot be decoded, undefined if too little of it is kept. */
async function channelOf({ content, isCut }: KeptRequest): Promise<string | undefined> {
  const { headers, body, encoding, queryPayload } = content;
  if (isCut) return body === '' ? '' : undefined;
  const input = { contentType: headers['content-type'], body: Buffer.from(body, encoding), queryPayload };
  try {
    return (await decodePayload(input)).channel;
  } catch (error) {
    if (error instanceof PayloadError) return '';
    throw error;
  }
}
