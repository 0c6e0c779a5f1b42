import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';
import type { UserDto } from '../../messaging/users/dto/user.dto.js';
import type { Accounts, NewAdministrator } from './accounts.js';

/** Nothing listens on the socket: the server is stopped, or runs without local mode. */
const NOBODY = ['ENOENT', 'ECONNREFUSED'];

/** Changes accounts through the local mode socket. Throws CommandRefused with the server's error message. */
export class LocalAccounts implements Accounts {
  private constructor(private readonly socketPath: string) {}

  static async find(socketPath: string): Promise<LocalAccounts | undefined> {
    const accounts = new LocalAccounts(socketPath);
    try {
      await accounts.send('GET', '/system/ping');
      return accounts;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (NOBODY.includes(code)) return undefined;
      if (code !== 'EACCES') throw error;
      throw new CommandRefused(
        `LOCAL_MODE_SOCKET names ${socketPath}, which this user cannot open: run this as the user of the server.`,
      );
    }
  }

  async has(username: string): Promise<boolean> {
    const response = await this.send('GET', userPath(username));
    response.resume();
    return response.statusCode === 200;
  }

  async createAdministrator({ username, email, password }: NewAdministrator): Promise<void> {
    const user = await this.call<UserDto>('POST', '/users', { username, email, password });
    await this.call('PUT', `/users/${user.id}/roles`, { roles: 'system_admin system_user' });
  }

  async resetPassword(username: string, password: string): Promise<{ isActive: boolean }> {
    const user = await this.call<UserDto>('GET', userPath(username));
    await this.call('PUT', `/users/${user.id}/password`, { new_password: password });
    return { isActive: user.delete_at === 0 };
  }

  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.send(method, path, body);
    const answer = JSON.parse(await text(response)) as T & { readonly message?: string };
    const { statusCode = 0 } = response;
    if (statusCode >= 200 && statusCode < 300) return answer;
    throw new CommandRefused(answer.message ?? `The server responds with ${statusCode}.`);
  }

  private send(method: string, path: string, body?: object): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json' };
      const { socketPath } = this;
      request({ socketPath, method, path: `/api/v4${path}`, headers, agent: false }, resolve)
        .on('error', reject)
        .end(body && JSON.stringify(body));
    });
  }
}

const userPath = (username: string): string => `/users/username/${encodeURIComponent(username)}`;
