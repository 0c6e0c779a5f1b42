import { Global, Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { GrantedPermission, Role } from './role.entity.js';
import { AccessGuard } from './access.guard.js';
import { CommonPermission } from './common.permissions.js';
import { MembershipAccessService } from './membership-access.service.js';
import { MembershipsReadModel } from './memberships.read-model.js';
import { CreateRoles1700000000002 } from './migrations/1700000000002-create-roles.js';
import { PermissionsService } from './permissions.service.js';
import { ReadableChannelsReadModel } from './readable-channels.read-model.js';
import { RolesController } from './roles.controller.js';
import { RolesPolicy } from './roles.policy.js';
import { RolesRepository } from './roles.repository.js';
import { RolesService } from './roles.service.js';

/** Roles and permission checks, for every module. */
@Global()
@Module({
  controllers: [RolesController],
  providers: [
    PermissionsService,
    RolesService,
    RolesPolicy,
    RolesRepository,
    MembershipsReadModel,
    ReadableChannelsReadModel,
    MembershipAccessService,
    AccessGuard,
  ],
  exports: [
    PermissionsService,
    ReadableChannelsReadModel,
    MembershipAccessService,
    RolesService,
    AccessGuard,
  ],
})
@Declares({
  entities: [Role, GrantedPermission],
  migrations: [CreateRoles1700000000002],
  permissions: [CommonPermission],
  apiGroups: [{ name: 'roles', position: 130, description: 'Permissions, and the roles that grant them.' }],
})
export class PermissionsModule {}
