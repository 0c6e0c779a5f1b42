import type { IncomingMessage } from 'node:http';
import { presentedToken } from '../../auth/presented-token.js';
import { isId } from '../../../platform/common/ids.js';
import type { ResumePoint } from '../connections/live-socket.js';

const PATH = '/api/v4/websocket';

/** What a request for a WebSocket says. */
export interface UpgradeRequest {
  readonly isOurs: boolean;
  /**
   * From the cookie or the Authorization header; one in the address does not count
   * (docs/contract/conventions.md#credentials).
   */
  readonly token: string | undefined;
  readonly resume: ResumePoint | undefined;
}

export function readUpgradeRequest({ url = '', headers }: IncomingMessage): UpgradeRequest {
  const [path = '', query = ''] = url.split('?', 2);
  return {
    isOurs: path === PATH,
    token: presentedToken(headers, path)?.token,
    resume: resumePoint(new URLSearchParams(query)),
  };
}

/** Both halves must be there and make sense; otherwise the connection is a new one. */
function resumePoint(query: URLSearchParams): ResumePoint | undefined {
  const connectionId = query.get('connection_id');
  const seq = query.get('sequence_number') ?? '';
  return isId(connectionId) && /^\d{1,15}$/.test(seq) ? { connectionId, seq: Number(seq) } : undefined;
}
