import { AppError } from '../../platform/common/errors/app-error.js';
import { FeatureDisabled, NotFound } from '../../platform/common/errors/common-errors.js';

export class RoleNotFound extends NotFound {
  constructor() {
    super('app.role.get.app_error', 'No such role.');
  }
}

export class RoleNameNotFound extends NotFound {
  constructor() {
    super('app.role.get_by_name.app_error', 'No role with that name.');
  }
}

/** 400: a list of roles names one that does not exist. */
export class UnknownRole extends AppError {
  readonly id = 'app.role.check_roles_exist.role_not_found';
  readonly status = 400;
  constructor(readonly role: string) {
    super(`The role ${role} does not exist.`);
  }
}

/** 501: only system_admin has this permission, and always. */
export class PermissionNotGrantable extends FeatureDisabled {
  constructor(permission: string) {
    super(
      'api.roles.patch_roles.not_allowed_permission.error',
      `The permission ${permission} cannot be granted or removed.`,
    );
  }
}

export class TooManyRoleNames extends AppError {
  readonly id = 'api.roles.get_multiple_by_name_too_many.request_error';
  readonly status = 400;
  constructor(maxNames: number) {
    super(`At most ${maxNames} role names can be requested at once.`);
  }
}
