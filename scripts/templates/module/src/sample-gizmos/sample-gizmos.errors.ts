import { FeatureDisabled, NotFound, ValidationFailed } from '../platform/common/errors/common-errors.js';

/** 404: unknown or deleted. */
export class SampleGizmoNotFound extends NotFound {
  constructor() {
    super('app.sample_gizmo.get.app_error', 'No such sample gizmo.');
  }
}

/** 400: the name is empty or too long. */
export class InvalidSampleGizmoName extends ValidationFailed {
  constructor() {
    super('model.sample_gizmo.display_name.app_error', 'display_name', 'it must have 1 to 64 bytes.');
  }
}

/** 501: ENABLE_SAMPLE_GIZMOS is false. */
export class SampleGizmosDisabled extends FeatureDisabled {
  constructor() {
    super('app.sample_gizmo.disabled.app_error', 'Sample gizmos are switched off on this server.');
  }
}
