import { newId } from '../../src/platform/common/ids.js';
import { SyncedAccounts } from '../../src/shared-channels/sync/synced-accounts.service.js';
import type { ApiClient } from '../support/api-client.mjs';
import type { TestServer } from '../support/test-server.js';

export const USER_PASSWORD = 'a long enough password';

export interface BuiltUser {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  /** Signed in. */
  readonly client: ApiClient;
}

/** The body that creates a unique account. `fields` replace parts of it. */
export function newAccount(fields: Record<string, unknown> = {}): Record<string, unknown> {
  const username = `u${newId().slice(0, 14)}`;
  return { username, email: `${username}@example.com`, password: USER_PASSWORD, ...fields };
}

/** A signed-in user. `roles` sets the system roles. */
export async function buildUser(
  server: TestServer,
  { roles, ...fields }: Record<string, unknown> = {},
): Promise<BuiltUser> {
  const created = await server.admin.post('/users', newAccount(fields));
  if (created.status !== 201) throw new Error(`No user: ${created.text}`);
  const { id, username, email } = created.body;
  if (typeof roles === 'string') {
    const given = await server.admin.put(`/users/${id}/roles`, { roles });
    if (given.status !== 200) throw new Error(`No roles: ${given.text}`);
  }
  return { id, username, email, client: await server.login(username, USER_PASSWORD) };
}

export const REMOTE_USER = 'api.user.remote_user.app_error';

/** Creates an account of another server, as a connection does, and returns its id. */
export async function buildRemoteUser(server: TestServer): Promise<string> {
  const id = newId();
  const source = { id: newId(), remoteId: newId(), siteUrl: 'https://b.example', name: 'branch' };
  const names = { nickname: '', firstName: 'Berta', lastName: '', position: '', locale: 'en' };
  const account = { id, username: `r${id}`, email: `${id}@b.example`, ...names, deleteAt: 0 };
  const user = await server.app.get(SyncedAccounts).save(source, account);
  if (!user) throw new Error('The account of another server was not stored.');
  return user.id;
}
