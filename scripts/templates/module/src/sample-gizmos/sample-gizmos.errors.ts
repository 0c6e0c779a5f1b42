import { AppError } from '../platform/common/errors/app-error.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';

export const sampleGizmoNotFound = () =>
  new AppError(404, 'app.sample_gizmo.get.app_error', 'No such sample gizmo.');

export const invalidSampleGizmoName = () =>
  new ValidationFailed(
    'model.sample_gizmo.display_name.app_error',
    'display_name',
    'it must have 1 to 64 bytes.',
  );

/** ENABLE_SAMPLE_GIZMOS is false. */
export const sampleGizmosDisabled = () =>
  new AppError(501, 'app.sample_gizmo.disabled.app_error', 'Sample gizmos are switched off on this server.');
