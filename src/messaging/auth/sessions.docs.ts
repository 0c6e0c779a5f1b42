import { type OperationOptions, StatusOkDto } from '../../platform/common/dto/operation.js';
import { SessionDto } from './dto/session.dto.js';

/** What the API description says of the operations. */
export const DOCS = {
  revokeSessionsFromAllUsers: { summary: 'Sign everybody out', ok: StatusOkDto },
  getSessions: { summary: 'List the sessions of a user', ok: [SessionDto], errors: [404] },
  revokeSession: { summary: 'End a session of a user', ok: StatusOkDto },
  revokeAllSessions: { summary: 'End all sessions of a user', ok: StatusOkDto, errors: [404] },
} satisfies Record<string, OperationOptions>;
