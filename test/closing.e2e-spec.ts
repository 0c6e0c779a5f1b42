import { DataSource } from 'typeorm';
import { ChangeLog } from '../src/platform/database/changes/change-log.js';
import { CommitEngine } from '../src/platform/database/commits/commit-engine.js';
import { Purge } from '../src/platform/database/purge.js';
import { startTestServer } from './support/test-server.js';

describe('a stopping server', () => {
  it.each([
    ['the change log', ChangeLog],
    ['the commit engine', CommitEngine],
    ['the purge', Purge],
  ])('closes the database after %s', async (_, token) => {
    const server = await startTestServer();
    const dataSource = server.app.get(DataSource);
    const provider = server.app.get<{ onApplicationShutdown(): unknown }>(token);
    const stop = jest.spyOn(provider, 'onApplicationShutdown');
    const isOpen: boolean[] = [];
    stop.mockImplementation(() => {
      isOpen.push(dataSource.isInitialized);
      stop.mockRestore();
      return provider.onApplicationShutdown();
    });
    await server.close();
    expect(isOpen).toEqual([true]);
    expect(dataSource.isInitialized).toBe(false);
  });
});
