import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { AUDITED, type AuditMetadata } from '../../platform/common/audited.js';
import { accessOf } from '../../platform/access/access.js';
import { type ActingRequest, ANONYMOUS, LOCAL_ACTOR } from '../permissions/actor.js';
import { AuthenticationService } from './authentication.service.js';

/** Global guard, before `AccessGuard`: puts the caller on the request, anonymous without a valid token. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: AuthenticationService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ActingRequest & { audit?: AuditMetadata }>();
    const access = accessOf(context);
    request.audit = this.reflector.get<AuditMetadata | undefined>(AUDITED, context.getHandler());
    if (request.isLocal) request.actor = LOCAL_ACTOR;
    else if (access?.kind === 'guarded' || (access?.kind === 'public' && !access.readsSession))
      request.actor = ANONYMOUS;
    else
      request.actor = await this.authentication.actorOf(
        request,
        http.getResponse<Response>(),
        access?.kind !== 'public',
      );
    return true;
  }
}
