import { AppError } from '../platform/common/errors/app-error.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';

export const hookScheduleNotFound = () =>
  new AppError(404, 'app.hook_schedule.get.app_error', 'No such hook schedule.');

export const invalidHookScheduleName = () =>
  new ValidationFailed(
    'model.hook_schedule.display_name.app_error',
    'display_name',
    'it must have 1 to 64 bytes.',
  );

/** ENABLE_HOOK_SCHEDULES is false. */
export const hookSchedulesDisabled = () =>
  new AppError(
    501,
    'app.hook_schedule.disabled.app_error',
    'Hook schedules are switched off on this server.',
  );
