import { AppError } from '../../../platform/common/errors/app-error.js';
import { NotFound, ValidationFailed } from '../../../platform/common/errors/common-errors.js';

export class PreferenceCategoryNotFound extends NotFound {
  constructor() {
    super('app.preference.get_category.app_error', 'There are no preferences in that category.');
  }
}

/** 400, as the contract requires. */
export class PreferenceNotFound extends ValidationFailed {
  constructor() {
    super('app.preference.get.app_error', 'name', 'there is no preference with that name');
  }
}

/** 403: a preference in the body belongs to another user than that of the path. */
export class ForeignPreference extends AppError {
  readonly status = 403;
  constructor(readonly id: string) {
    super('The user_id of a preference is not the user of the path.');
  }
}
