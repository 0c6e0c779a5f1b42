import { HealthService } from './health.service.js';

describe('HealthService', () => {
  const database = { failure: async (): Promise<Error | undefined> => undefined };
  const lock = { isHeld: true };
  const health = new HealthService(database as never, lock as never, { faults: [] } as never);

  it('is ready only while the process can write to the database', async () => {
    await health.requireReady();
    lock.isHeld = false;
    await expect(health.requireReady()).rejects.toThrow('database is not available');
    lock.isHeld = true;
    await health.requireReady();
  });
});
