import { type OperationOptions } from '../../platform/common/dto/operation.js';
import { RoleDto } from './dto/role.dto.js';

/** What the API description says of the operations. */
export const DOCS = {
  getAllRoles: { summary: 'List all roles', ok: [RoleDto] },
  getRoleByName: { summary: 'Get a role by its name', ok: RoleDto, errors: [404] },
  getRolesByNames: {
    summary: 'Get several roles by name',
    description: 'Unknown names are skipped.',
    ok: [RoleDto],
  },
  getRole: { summary: 'Get a role', ok: RoleDto, errors: [404] },
  patchRole: { summary: 'Change what a role grants', ok: RoleDto, errors: [404, 501] },
} satisfies Record<string, OperationOptions>;
