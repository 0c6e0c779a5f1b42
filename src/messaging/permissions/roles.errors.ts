import { AppError } from '../../platform/common/errors/app-error.js';

export const roleNotFound = () => new AppError(404, 'app.role.get.app_error', 'No such role.');

export const roleNameNotFound = () =>
  new AppError(404, 'app.role.get_by_name.app_error', 'No role with that name.');

/** A list of roles names a nonexistent role. */
export const unknownRole = (role: string) =>
  new AppError(400, 'app.role.check_roles_exist.role_not_found', `The role ${role} does not exist.`);

/** Only system_admin has this permission, and it cannot be removed. */
export const permissionNotGrantable = (permission: string) =>
  new AppError(
    501,
    'api.roles.patch_roles.not_allowed_permission.error',
    `The permission ${permission} cannot be granted or removed.`,
  );

export const tooManyRoleNames = (maxNames: number) =>
  new AppError(
    400,
    'api.roles.get_multiple_by_name_too_many.request_error',
    `At most ${maxNames} role names can be requested at once.`,
  );
