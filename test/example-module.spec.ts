import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '..');
const EXAMPLE = 'docs/example-module';
/** The sources as the tests load them; only changed ones are compiled again. */
const COMPILED = join(ROOT, '.cache', 'typescript');
const IGNORED = /^(node_modules|dist.*|data|coverage|\.git|\.cache)$/;
/** The other modules are tested for themselves; this is enough for the routes and queries of one. */
const BRIEF = { FUZZ_COUNT: '10000', PLAN_ROWS: '10000' };
const TIMEOUT_MS = 600_000;
const SUITES = [
  ...['hook-schedules', 'database', 'access-permissions', 'access-refused', 'answer-sizes', 'audit-bodies'],
  ...['bad-input', 'citations', 'declarations', 'list-order', 'lint-rules', 'migrations', 'permissions'],
  ...['plans', 'text-functions'],
].join('|');

/** A copy of the repository with its packages, in which programs run. */
class Copy {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-module-')));

  constructor() {
    for (const name of readdirSync(ROOT))
      if (!IGNORED.test(name)) cpSync(join(ROOT, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    cpSync(COMPILED, join(this.folder, relative(ROOT, COMPILED)), { recursive: true });
  }

  /** Runs a script or the program of a package. Returns its output, or throws it if the program fails. */
  async run(script: string, ...args: string[]): Promise<string> {
    const file = join(script.startsWith('scripts/') ? this.folder : join(ROOT, 'node_modules'), script);
    try {
      // Suites about all routes call only those of the module, and docs/access.md is written, not compared.
      const env = { ...process.env, CHECK_MODULE: 'hook-schedules', UPDATE_ACCESS_TABLE: '1', ...BRIEF };
      const options = { cwd: this.folder, maxBuffer: 64 * 1024 * 1024, env };
      const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], options);
      return stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${stdout}${stderr}`, { cause: error });
    }
  }

  /** Runs suites on SQLite, and on MySQL if there is one. */
  jest(pattern: string, ...args: string[]): Promise<string> {
    const projects = ['unit', 'e2e', 'apart', ...(process.env['TEST_MYSQL_URL'] ? ['mysql'] : [])];
    const selected = projects.map((name) => `--selectProjects=${name}`);
    const suites = `--testPathPatterns=test/(${pattern})\\.(e2e-)?spec`;
    return this.run('jest/bin/jest.js', '--maxWorkers=1', ...selected, suites, ...args);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** The text of every file. */
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

/** The module is copied as docs/extending.md#a-module says. */
describe('the example module', () => {
  let copy: Copy;
  let before: ReadonlyMap<string, string>;
  let added: string[];

  beforeAll(() => {
    copy = new Copy();
    before = copy.files();
    cpSync(join(ROOT, EXAMPLE), copy.folder, { recursive: true });
    added = [...copy.files().keys()].filter((name) => !before.has(name));
    const app = join(copy.folder, 'src', 'app.module.ts');
    writeFileSync(
      app,
      before
        .get('src/app.module.ts')!
        .replace(
          /(?=import \{ IncomingHooksModule)/,
          "import { HookSchedulesModule } from './hook-schedules/hook-schedules.module.js';\n",
        )
        .replace('    BootstrapModule,\n', '    HookSchedulesModule,\n    BootstrapModule,\n'),
    );
  });
  afterAll(() => copy?.remove());

  it(
    'compiles, and passes lint and the formatter',
    async () => {
      const files = [...added, 'src/app.module.ts'];
      await copy.run('eslint/bin/eslint.js', '--config=test/support/eslint-types.config.mjs', ...files);
      await copy.run('prettier/bin/prettier.cjs', '--check', ...files);
    },
    TIMEOUT_MS,
  );

  it(
    'changes one file outside of it, and generated tables',
    async () => {
      await copy.run('scripts/event-table.mjs', '--write');
      await copy.run('scripts/settings-table.mjs', '--write');
      await copy.jest('access', '-u');
      await copy.jest('access-statuses', '-t', 'documented in docs/access.md');
      const after = copy.files();
      const changed = [...before].filter(([name, text]) => after.get(name) !== text).map(([name]) => name);
      expect(changed.sort()).toEqual([
        'docs/access.md',
        'docs/extending.md',
        'docs/settings.md',
        'src/app.module.ts',
        'test/__snapshots__/access.e2e-spec.ts.snap',
      ]);
    },
    TIMEOUT_MS,
  );

  it(
    'passes its own tests, and those of the whole repository',
    async () => {
      await copy.jest(SUITES);
    },
    TIMEOUT_MS,
  );
});
