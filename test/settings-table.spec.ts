import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

describe('the tables of docs/settings.md', () => {
  it('match the code that reads the settings', async () => {
    await promisify(execFile)(process.execPath, ['scripts/settings-table.mjs']);
  });
});
