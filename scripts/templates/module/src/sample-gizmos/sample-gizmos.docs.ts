import { type OperationOptions, StatusOkDto } from '../platform/common/dto/operation.js';
import { SampleGizmoDto } from './dto/sample-gizmo.dto.js';

/** Who may call the operations. */
export const WHO = {
  manages: '`manage_sample_gizmos` on the team',
  lists: '`manage_sample_gizmos` on the team that `team_id` names, without one on the system',
};

/** What the API description says of the operations. */
export const DOCS = {
  create: { summary: 'Create a sample gizmo', created: SampleGizmoDto, errors: [404, 501] },
  list: { summary: 'List sample gizmos, oldest first', ok: [SampleGizmoDto], errors: [501] },
  get: { summary: 'Get a sample gizmo', ok: SampleGizmoDto, errors: [404, 501] },
  update: { summary: 'Change a sample gizmo', ok: SampleGizmoDto, errors: [404, 501] },
  delete: { summary: 'Delete a sample gizmo', ok: StatusOkDto, errors: [404, 501] },
} satisfies Record<string, OperationOptions>;
