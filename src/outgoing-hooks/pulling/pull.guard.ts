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
export type Consumer = Actor | { readonly kind: 'token'; readonly hookId: string };

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
    const hookId = String(request.params['hook_id']);
    if (request.isLocal) request.consumer = LOCAL_ACTOR;
    else if (await this.hasTokenOf(hookId, request)) request.consumer = { kind: 'token', hookId };
    else {
      request.actor = await this.authentication.actorOf(request, http.getResponse<Response>(), true);
      if (request.actor.kind === 'anonymous') throw sessionExpired();
      request.consumer = request.actor;
    }
    return true;
  }

  private async hasTokenOf(hookId: string, { headers, url }: ConsumerRequest): Promise<boolean> {
    const presented = presentedToken(headers, url);
    if (presented?.location !== 'header' || !isId(hookId)) return false;
    const hook = await this.hooks.find(hookId);
    const token = hook && this.secrets.openForAnswer(hook)?.token;
    return timingSafeEqual(digest(presented.token), digest(token ?? '')) && Boolean(token);
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
