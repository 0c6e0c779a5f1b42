import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { AuthenticationService } from '../../messaging/auth/authentication.service.js';
import { presentedToken } from '../../messaging/auth/presented-token.js';
import { type Actor, type ActingRequest, LOCAL_ACTOR } from '../../messaging/permissions/actor.js';
import { sessionExpired } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import { OutgoingHookRecords } from '../outgoing-hook-records.js';
import { OutgoingHookSecrets } from '../outgoing-hook-secrets.js';

/** A consumer: a user, or a program with the token of the webhook. */
export type Consumer = Actor | { readonly kind: 'token'; readonly sealedToken: string };

interface ConsumerRequest extends ActingRequest {
  consumer: Consumer;
}

/**
 * Admits signed-in callers, whose permissions the service checks, and programs that present the token of the webhook
 * in the path as a bearer token (docs/contract/outgoing-webhooks.md#pull).
 */
@Injectable()
export class PullGuard implements CanActivate {
  constructor(
    private readonly hooks: OutgoingHookRecords,
    private readonly secrets: OutgoingHookSecrets,
    private readonly authentication: AuthenticationService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ConsumerRequest>();
    request.consumer = request.isLocal
      ? LOCAL_ACTOR
      : ((await this.tokenHolder(request)) ?? (await this.user(request, http.getResponse<Response>())));
    return true;
  }

  /** The caller that presents the token of the webhook in the path. */
  private async tokenHolder({ headers, url, params }: ConsumerRequest): Promise<Consumer | undefined> {
    const presented = presentedToken(headers, url);
    const hookId = String(params['hook_id']);
    if (presented?.location !== 'header' || !isId(hookId)) return undefined;
    const hook = await this.hooks.find(hookId);
    const token = hook && this.secrets.openForAnswer(hook)?.token;
    const isSame = timingSafeEqual(digest(presented.token), digest(token ?? ''));
    return hook && token && isSame ? { kind: 'token', sealedToken: hook.sealedToken } : undefined;
  }

  private async user(request: ConsumerRequest, response: Response): Promise<Consumer> {
    request.actor = await this.authentication.actorOf(request, response, true);
    if (request.actor.kind === 'anonymous') throw sessionExpired();
    return request.actor;
  }
}

/** The caller of a route guarded by `PullGuard`. */
export const CurrentConsumer = createParamDecorator(
  (_: unknown, context: ExecutionContext): Consumer =>
    context.switchToHttp().getRequest<ConsumerRequest>().consumer,
);

/** Digests have the same length, whatever was presented. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
