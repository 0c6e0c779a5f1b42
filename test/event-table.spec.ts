import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

describe('the table of events in docs/extending.md', () => {
  it('lists every event with its listeners', async () => {
    await promisify(execFile)(process.execPath, ['scripts/event-table.mjs']);
  });
});
