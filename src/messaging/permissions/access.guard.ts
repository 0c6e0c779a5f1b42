import { type CanActivate, type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { permissionDenied, sessionExpired } from '../../platform/common/errors/common-errors.js';
import { type Access, accessOf, type ScopeResolver } from '../../platform/access/access.js';
import type { ActingRequest } from './actor.js';
import { PermissionsService } from './permissions.service.js';

/**
 * Global guard, after `AuthenticationGuard`: enforces the access that a route declares, with a 401 for anonymous
 * callers, and denies routes without a declaration (docs/contract/conventions.md#access).
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly logger = new Logger(AccessGuard.name);

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly permissions: PermissionsService,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = accessOf(context);
    if (access?.kind === 'public') return true;
    if (access?.kind === 'guarded') return this.runGuard(access, context);
    const request = context.switchToHttp().getRequest<ActingRequest>();
    if (!access) {
      this.logger.error(`${context.getClass().name}.${context.getHandler().name} declares no access.`);
      throw permissionDenied('undeclared');
    }
    if (request.actor.kind === 'anonymous') throw sessionExpired();
    return access.kind === 'permission' ? this.require(access, request) : true;
  }

  private async runGuard(
    { guard }: Extract<Access, { kind: 'guarded' }>,
    context: ExecutionContext,
  ): Promise<boolean> {
    return (await this.moduleRef.get<CanActivate>(guard, { strict: false }).canActivate(context)) === true;
  }

  private async require(
    access: Extract<Access, { kind: 'permission' }>,
    request: ActingRequest,
  ): Promise<boolean> {
    const { scope } = access;
    const resolved =
      scope === 'system'
        ? scope
        : await this.moduleRef
            .get<ScopeResolver>(scope, { strict: false })
            .resolve(request.params as Record<string, string | undefined>);
    await this.permissions.require(request.actor, access.permission, resolved);
    return true;
  }
}
