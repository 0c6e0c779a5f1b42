import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');

describe('npm run migration:new', () => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'hookline-migration-'));
    for (const path of ['package.json', '.prettierrc.json', 'scripts', 'src/platform', 'src/incoming-hooks'])
      cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [join(copy, 'scripts/new-migration.mjs'), ...args], { encoding: 'utf8' });
  const read = (path: string): string => readFileSync(join(copy, path), 'utf8');

  it.each([
    ['a module that declares other things', 'src/platform/metrics', 'metrics'],
    ['a module that declares nothing', 'src/platform/events', 'events'],
  ])('creates a migration with the current time, and declares it in %s', (_, folder, module) => {
    const before = Date.now();
    run('add-photo', `--module=${module}`);
    const [file = ''] = readdirSync(join(copy, folder, 'migrations'));
    const [, timestamp] = /^(\d{13})-add-photo\.ts$/.exec(file)!;
    expect(Number(timestamp)).toBeGreaterThanOrEqual(before);
    expect(Number(timestamp)).toBeLessThanOrEqual(Date.now());
    expect(read(`${folder}/migrations/${file}`)).toContain(`export class AddPhoto${timestamp} implements`);
    const declaring = read(`${folder}/${module}.module.ts`);
    expect(declaring).toContain(
      `import { AddPhoto${timestamp} } from './migrations/${timestamp}-add-photo.js';`,
    );
    expect(declaring).toMatch(new RegExp(`@Declares\\(\\{[^]*migrations: \\[AddPhoto${timestamp}\\]`));
    expect(declaring.match(/import \{ Declares \}/g)).toHaveLength(1);
  });

  it('adds a second one to the first', () => {
    run('remove-photo', '--module=events');
    expect(read('src/platform/events/events.module.ts')).toMatch(
      /migrations: \[AddPhoto\d{13}, RemovePhoto\d{13}\]/,
    );
  });
});
