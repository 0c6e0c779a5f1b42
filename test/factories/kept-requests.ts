import { DataSource } from 'typeorm';
import { KeptRequest } from '../../src/incoming-hooks/kept-requests/kept-request.entity.js';
import { newId } from '../../src/platform/common/ids.js';
import type { TestServer } from '../support/test-server.js';

/** Stores a refused call as the server keeps one. */
export async function insertKeptRequest(
  server: TestServer,
  fields: Partial<KeptRequest> = {},
): Promise<KeptRequest> {
  const request: KeptRequest = {
    ...{ id: newId(), hookId: newId(), createAt: Date.now(), status: 400, errorId: 'x', message: 'No.' },
    ...{ bodySize: 2, isCut: false, notUnderstood: 0 },
    content: { headers: {}, queryPayload: '', body: '{}', encoding: 'utf8', postIds: [] },
    ...fields,
  };
  await server.app.get(DataSource).getRepository(KeptRequest).insert(request);
  return request;
}
