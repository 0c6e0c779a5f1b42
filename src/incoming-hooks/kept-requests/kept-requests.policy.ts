import { Injectable } from '@nestjs/common';
import type { Actor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { PostsService } from '../../messaging/posts/posts.service.js';
import { UsersService } from '../../messaging/users/users.service.js';
import { permissionDenied } from '../../platform/common/errors/common-errors.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { decodeFormat } from '../formats/formats.js';
import { TemplateError } from '../formats/template.js';
import { IncomingHookPermission } from '../incoming-hooks.policy.js';
import { decodePayload, type IncomingPayload } from '../payload/payload-decoder.js';
import { PayloadError } from '../payload/payload-forms.js';
import type { KeptRequest } from './kept-request.entity.js';

/**
 * Decides which webhook managers may see call contents (docs/contract/incoming-webhooks.md#kept-calls), since
 * calls may post to the owner's direct messages and private channels.
 */
@Injectable()
export class KeptRequestsPolicy {
  constructor(
    private readonly permissions: PermissionsService,
    private readonly users: UsersService,
    private readonly posts: PostsService,
  ) {}

  /** Throws `permissionDenied`. */
  async requireRead(actor: Actor, hook: IncomingHook, request: KeptRequest): Promise<void> {
    if (await this.isTrusted(actor, hook)) return;
    const { postIds, channelId = hook.channelId } = request.content;
    const mayRead =
      postIds.length > 0
        ? await this.canReadAll(actor, postIds)
        : (await namesNoChannel(hook, request)) && (await this.permissions.canReadChannel(actor, channelId));
    if (!mayRead) throw permissionDenied(CommonPermission.ReadChannelContent);
  }

  /** Whether the actor is the owner or manages everyone's webhooks. */
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
 * Whether a rejected call certainly targeted the webhook's own channel. A channel name cannot be resolved
 * later, because channels are renamed and created.
 */
async function namesNoChannel(hook: IncomingHook, { content, isCut }: KeptRequest): Promise<boolean> {
  const { headers, body, encoding, queryPayload } = content;
  if (body === '' && queryPayload === '') return true; // nothing to hide
  if (isCut) return false;
  const input = { contentType: headers['content-type'], body: Buffer.from(body, encoding), queryPayload };
  if (hook.format !== 'template') return (await channelIn(() => decodePayload(input))) === '';
  // The call may be older than the template.
  const ofTemplate = await channelIn(() => decodeFormat(hook, { ...input, headers, query: {} }));
  return ofTemplate === '' && ((await channelIn(() => decodePayload(input))) ?? '') === '';
}

/** Returns the channel that a payload names, or undefined if it cannot be decoded. */
async function channelIn(
  decode: () => IncomingPayload | Promise<IncomingPayload>,
): Promise<string | undefined> {
  try {
    return (await decode()).channel;
  } catch (error) {
    if (error instanceof PayloadError || error instanceof TemplateError) return undefined;
    throw error;
  }
}
