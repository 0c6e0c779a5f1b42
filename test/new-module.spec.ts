import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { followTutorial } from './support/tutorial.js';

const ROOT = resolve(__dirname, '..');
/** The sources as the tests load them; compiled again only where they changed. */
const COMPILED = join(ROOT, '.cache', 'typescript');
const IGNORED = /^(node_modules|dist.*|data|coverage|\.git|\.cache)$/;
const MODULES = ['hook-schedules', 'alert-rules'];
const MADE = /^(src|test|test\/factories)\/(hook-schedules|alert-rules)\b/;
const TIMEOUT_MS = 300_000;

/** A copy of the repository with its packages, in which programs run. */
class Copy {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-module-')));

  constructor() {
    for (const name of readdirSync(ROOT))
      if (!IGNORED.test(name)) cpSync(join(ROOT, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    cpSync(COMPILED, join(this.folder, relative(ROOT, COMPILED)), { recursive: true });
  }

  /** Runs a script or the program of a package; gives what it printed, and throws that when it fails. */
  async run(script: string, ...args: string[]): Promise<string> {
    const file = join(script.startsWith('scripts/') ? this.folder : join(ROOT, 'node_modules'), script);
    try {
      const options = { cwd: this.folder, maxBuffer: 64 * 1024 * 1024 };
      const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], options);
      return stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${stdout}${stderr}`, { cause: error });
    }
  }

  /** Runs suites on SQLite, and on MySQL where there is one. */
  jest(suites: readonly string[], ...args: string[]): Promise<string> {
    const databases = process.env['TEST_MYSQL_URL'] ? ['e2e', 'mysql'] : ['e2e'];
    const projects = databases.map((name) => `--selectProjects=${name}`);
    const paths = suites.map((name) => `--testPathPatterns=test/${name}`);
    return this.run('jest/bin/jest.js', '--maxWorkers=1', ...projects, ...paths, ...args);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** The sources, tests and pages with what they hold. */
  files(): ReadonlyMap<string, string> {
    const names = ['src', 'test', 'scripts', 'docs'].flatMap((folder) =>
      readdirSync(join(this.folder, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(this.folder.length + 1)),
    );
    return new Map(names.map((name) => [name, this.read(name)]));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One module is left as it is made, and the other one is changed as docs/extending.md#from-an-empty-folder-to-green-tests says. */
describe('npm run new:module', () => {
  let copy: Copy;
  let before: ReadonlyMap<string, string>;
  let made: string[];
  let followed: string[];

  beforeAll(async () => {
    copy = new Copy();
    before = copy.files();
    for (const name of MODULES) await copy.run('scripts/new-module.mjs', name);
    followed = followTutorial(copy.read('docs/extending.md'), copy.folder);
    made = [...copy.files().keys()].filter((name) => !before.has(name));
  }, TIMEOUT_MS);
  afterAll(() => copy.remove());

  it('makes the files of the house style, named after the module', () => {
    expect(made.filter((name) => !MADE.test(name))).toEqual([]);
    const ofOne = made.filter((name) => name.includes('alert')).map((name) => name.replace(/\d{13}/, 'TIME'));
    expect(ofOne.sort()).toEqual([
      'src/alert-rules/alert-rule.entity.ts',
      'src/alert-rules/alert-rules.controller.ts',
      'src/alert-rules/alert-rules.errors.ts',
      'src/alert-rules/alert-rules.events.ts',
      'src/alert-rules/alert-rules.module.ts',
      'src/alert-rules/alert-rules.permissions.ts',
      'src/alert-rules/alert-rules.policy.ts',
      'src/alert-rules/alert-rules.repository.ts',
      'src/alert-rules/alert-rules.service.ts',
      'src/alert-rules/alert-rules.settings.ts',
      'src/alert-rules/dto/alert-rule.dto.ts',
      'src/alert-rules/dto/create-alert-rule.dto.ts',
      'src/alert-rules/dto/update-alert-rule.dto.ts',
      'src/alert-rules/migrations/TIME-create-alert-rules.ts',
      'test/alert-rules.e2e-spec.ts',
      'test/factories/alert-rules.ts',
    ]);
    expect(made.map((name) => copy.read(name)).join('\n')).not.toMatch(/gizmo/i);
    expect(copy.read('src/alert-rules/alert-rule.entity.ts')).toContain('/** An alert rule of a team.');
  });

  it('makes what the page changes', () => {
    const shown = followed.filter((name) => !made.includes(name));
    expect(shown).toEqual([]);
    expect(followed).toHaveLength(11);
  });

  it(
    'makes what compiles, and what lint and the formatter leave as it is',
    async () => {
      const files = [...made, 'src/app.module.ts'];
      await copy.run('eslint/bin/eslint.js', '--config=test/support/eslint-types.config.mjs', ...files);
      await copy.run('prettier/bin/prettier.cjs', '--check', ...files);
    },
    TIMEOUT_MS,
  );

  it(
    'makes tests that pass, and a schema that equals the entities',
    async () => {
      // The table of all routes is a snapshot; the next test looks at it.
      const tests =
        'hook schedules|alert rules|a schema that equals the entities|is exactly what this table says';
      await copy.jest([...MODULES, 'database', 'access'], '-u', '-t', tests);
    },
    TIMEOUT_MS,
  );

  it(
    'asks for the line in the list of modules, and two tables that are made by command',
    async () => {
      await copy.run('scripts/event-table.mjs', '--write');
      const after = copy.files();
      const changed = [...before].filter(([name, text]) => after.get(name) !== text).map(([name]) => name);
      const snapshot = 'test/__snapshots__/access.e2e-spec.ts.snap';
      expect(changed.sort()).toEqual(['docs/extending.md', 'src/app.module.ts', snapshot]);
      const newLines = (name: string): string[] => {
        const known = new Set(before.get(name)?.split('\n'));
        return copy
          .read(name)
          .split('\n')
          .filter((line) => !known.has(line));
      };
      expect(newLines('src/app.module.ts')).toHaveLength(2 * MODULES.length);
      expect(newLines(snapshot)).toHaveLength(5 * MODULES.length);
      expect(newLines('docs/extending.md').join('\n')).toMatch(
        /`alert_rule\.created`[^]*`hook_schedule\.created`/,
      );
    },
    TIMEOUT_MS,
  );

  it.each([
    ['HookSchedules', [], 'in lower case with dashes'],
    ['../plants', [], 'in lower case with dashes'],
    ['people', [], 'in the plural'],
    ['people', ['--singular=people'], 'a name of its own'],
    ['classes', [], '"class" means something else'],
    [`${'x'.repeat(40)}s`, [], '40 characters at most'],
    ['alert-rules', [], 'is there already'],
    ['incoming-hooks', [], 'is there already'],
    ['roles', [], 'src/messaging/permissions/role.dto.ts has "export class RoleDto" already'],
  ])('makes no module called %s %j', async (name, more, reason) => {
    const there = copy.files();
    await expect(copy.run('scripts/new-module.mjs', name, ...more)).rejects.toThrow(reason);
    expect(copy.files()).toEqual(there);
  });
});
