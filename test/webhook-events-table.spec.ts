import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

describe('the table of events in docs/contract/outgoing-webhooks.md', () => {
  it('matches the code that builds the payloads', async () => {
    await promisify(execFile)(process.execPath, ['test/support/webhook-events-table.mjs']);
  });
});
