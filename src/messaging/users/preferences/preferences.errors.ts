import { AppError } from '../../../platform/common/errors/app-error.js';
import { ValidationFailed } from '../../../platform/common/errors/common-errors.js';

export const preferenceCategoryNotFound = () =>
  new AppError(404, 'app.preference.get_category.app_error', 'There are no preferences in that category.');

/** 400, as the contract requires. */
export const preferenceNotFound = () =>
  new ValidationFailed('app.preference.get.app_error', 'name', 'there is no preference with that name');

/** A preference in the body belongs to a different user than the one in the path. */
export const foreignPreference = (id: string) =>
  new AppError(403, id, 'The user_id of a preference is not the user of the path.');
