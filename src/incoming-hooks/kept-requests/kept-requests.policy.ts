import { Injectable } from '@nestjs/common';
import type { Actor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { PostsService } from '../../messaging/posts/posts.service.js';
import { UserRecords } from '../../messaging/users/user-records.js';
import { permissionDenied } from '../../platform/common/errors/common-errors.js';
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
    private readonly posts: PostsService,
  ) {}

  /** Throws `permissionDenied`. */
  async requireRead(actor: Actor, hook: IncomingHook, request: KeptRequest): Promise<void> {
    if (await this.isTrusted(actor, hook)) return;
    const { postIds, channelId = hook.channelId } = request.content;
    const mayRead =
      postIds.length > 0
        ? await this.canReadAll(actor, postIds)
        : (await namesNoChannel(request)) && (await this.permissions.canReadChannel(actor, channelId));
    if (!mayRead) throw permissionDenied(CommonPermission.ReadChannelContent);
  }

  /** The owner, and who manages the webhooks of everybody. */
  async isTrusted(actor: Actor, { userId }: IncomingHook): Promise<boolean> {
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
}

/**
 * Whether a refused call was surely meant for the channel where its webhook was. What a name meant then is not known:
 * channels are renamed and made.
 */
async function namesNoChannel({ content, isCut }: KeptRequest): Promise<boolean> {
  const { headers, body, encoding, queryPayload } = content;
  if (body === '' && queryPayload === '') return true; // nothing to hide
  if (isCut) return false;
  const input = { contentType: headers['content-type'], body: Buffer.from(body, encoding), queryPayload };
  try {
    return (await decodePayload(input)).channel === '';
  } catch (error) {
    if (error instanceof PayloadError) return false;
    throw error;
  }
}
