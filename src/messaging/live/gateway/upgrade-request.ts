import type { IncomingMessage } from 'node:http';
import { presentedToken } from '../../auth/presented-token.js';
import { isId } from '../../../platform/common/ids.js';
import type { ResumePoint } from '../connections/live-socket.js';

const PATH = '/api/v4/websocket';

/** The parts of an upgrade request that the gateway needs. */
export interface UpgradeRequest {
  readonly isOurs: boolean;
  /** From the cookie or the Authorization header, never the query (docs/contract/conventions.md#credentials). */
  readonly token: string | undefined;
  readonly resume: ResumePoint | undefined;
}

/** The path of a request, without its query. */
export function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

/** Never throws. */
export function readUpgradeRequest(request: IncomingMessage): UpgradeRequest {
  const { method, url = '', headers } = request;
  const path = pathOf(request);
  const query = url.slice(path.length + 1);
  return {
    isOurs: method === 'GET' && path === PATH,
    token: presentedToken(headers, path)?.token,
    resume: resumePoint(new URLSearchParams(query)),
  };
}

/** Undefined unless both parameters are present and valid: then the connection is a new one. */
function resumePoint(query: URLSearchParams): ResumePoint | undefined {
  const connectionId = query.get('connection_id');
  const seq = query.get('sequence_number') ?? '';
  return isId(connectionId) && /^\d{1,15}$/.test(seq) ? { connectionId, seq: Number(seq) } : undefined;
}
