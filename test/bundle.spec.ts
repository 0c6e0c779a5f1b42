import { spawnSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { programFile } from '../scripts/bundle.mjs';
import { onlyWhere } from './support/only-where.js';

const RUNNER = join(__dirname, '..', 'scripts', 'run-bundle.cjs');
/** Tells of each script whether V8 took, or refused, what it had compiled before; `undefined` when nothing was kept. */
const WATCH = `
  const vm = require('node:vm');
  vm.Script = class extends vm.Script {
    constructor(...args) {
      super(...args);
      console.log('refused:', this.cachedDataRejected);
      if (process.argv[2] === 'stop') process.exit();
    }
  };
  require(process.argv[1]);
`;
const run = (file: string, ...args: string[]): string => {
  const cwd = dirname(file);
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', WATCH, file, ...args], { cwd, env: {} });
  return stdout.toString() + stderr.toString();
};

describe('the bundle', () => {
  it('starts with what V8 compiled in the build', () => {
    expect(run(programFile('main'), 'stop')).toBe('refused: false\n');
  });

  it('loads no second HTTP client at a start, and no driver that is not used', () => {
    const tell = `
      process.on('exit', () => {
        const names = process.moduleLoadList.filter((name) => /undici|http2/.test(name));
        console.log('built in:', names.length, 'by path:', Object.keys(require.cache).filter((name) => /mysql2|typeorm/.test(name)).length);
      });
      require(process.argv[1]);
    `;
    const args = ['-e', tell, programFile('main')];
    // A setting is wrong, so it stops when all modules are evaluated.
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: tmpdir(), env: { PORT: 'none' } });
    expect(stderr.toString()).toContain('PORT');
    expect(stdout.toString()).toBe('built in: 0 by path: 0\n');
  });

  it('holds little more than what a start evaluates, since its text stays in memory', () => {
    const folder = join(dirname(programFile('main')), '..');
    const [text] = readdirSync(folder).filter((file) => /^programs-\w+\.js$/.test(file));
    expect(statSync(join(folder, text!)).size).toBeLessThan(6_000_000);
  });

  describe('where the build kept nothing for this version of Node.js', () => {
    const bundle = 'programs-now.js';
    const name = `${bundle}.${process.version}-${process.platform}-${process.arch}`;
    let folder: string;
    let main: string;
    let data: string;
    const kept = (place: string) => readdirSync(place).filter((file) => file.includes('.js.v'));

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'hookline-bundle-'));
      main = join(folder, 'main.js');
      data = join(folder, 'data');
      copyFileSync(RUNNER, join(folder, 'run-bundle.js'));
      const program =
        '(function (exports) { exports.main = exports.backup = () => { console.log("It runs."); return {}; } })';
      writeFileSync(join(folder, bundle), program);
      for (const file of ['main', 'backup'])
        writeFileSync(join(folder, `${file}.js`), `require('./run-bundle.js')('${bundle}', '${file}');`);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it('the first server keeps it for all', () => {
      const backup = join(folder, 'backup.js');
      expect(run(backup)).toBe('refused: undefined\nIt runs.\n');
      expect(kept(folder)).toEqual([]);
      expect(run(main)).toBe('refused: undefined\nIt runs.\n');
      expect(kept(folder)).toEqual([name]);
      for (const program of [main, backup]) expect(run(program)).toBe('refused: false\nIt runs.\n');
    });

    it('keeps it in the data folder where it may not write beside the bundle, and nothing of an older bundle', () => {
      mkdirSync(join(folder, name)); // even root cannot replace it
      mkdirSync(data);
      writeFileSync(join(data, 'programs-old.js.v20.0.0-linux-x64'), '');
      expect(run(main)).toBe('refused: undefined\nIt runs.\n');
      expect(kept(data)).toEqual([name]);
      expect(run(main)).toBe('refused: false\nIt runs.\n');
    });

    it('forgets the code of what ran at the start alone, when it is kept', () => {
      const body = 'globalThis.sum = (globalThis.sum ?? 0) + 1;'.repeat(100);
      const sizes = `
        const { getHeapCodeStatistics } = require('node:v8');
        const later = setTimeout;
        globalThis.setTimeout = (action, ms) => later(() => (action(), tell(ms)), ms / 100);
        const tell = (ms) => console.log(ms, getHeapCodeStatistics().bytecode_and_metadata_size < before);
        const before = getHeapCodeStatistics().bytecode_and_metadata_size;
        require(process.argv[1]);
        later(() => undefined, 200);
      `;
      writeFileSync(
        join(folder, bundle),
        `(function (exports) { exports.main = () => { ${Array.from({ length: 200 }, () => `(() => { ${body} })();`).join('\n')} return {}; } })`,
      );
      const start = () =>
        spawnSync(process.execPath, ['-e', sizes, main], { cwd: folder, env: {} }).stdout.toString();
      expect(start()).toBe('10000 true\n');
      expect(kept(folder)).toEqual([name]);
      expect(start()).toBe('3000 true\n');
    });

    it('gives back what load has taken, once it is over', () => {
      run(main);
      const load = `
        const { getHeapStatistics } = require('node:v8');
        const [later, each] = [setTimeout, setInterval];
        globalThis.setTimeout = (action, ms) => later(action, ms / 100);
        globalThis.setInterval = (action, ms) => each(action, ms / 100);
        require(process.argv[1]);
        later(() => {
          let kept = Array.from({ length: 1_000_000 }, (_, n) => ({ n, next: [n] }));
          const { total_heap_size: most } = getHeapStatistics();
          kept = undefined;
          const end = later(() => console.log('it never did'), 10_000);
          const look = each(() => {
            if (getHeapStatistics().total_heap_size > most / 2) return;
            console.log('it did');
            clearTimeout(end);
            clearInterval(look);
          }, 10).unref();
        }, 100);
      `;
      const { stdout } = spawnSync(process.execPath, ['-e', load, main], { cwd: folder, env: {} });
      expect(stdout.toString()).toBe('It runs.\nit did\n');
    });

    it('runs on what is damaged, and where nothing can be kept', () => {
      writeFileSync(join(folder, name), 'damaged');
      expect(run(main)).toBe('refused: true\nIt runs.\n');
      rmSync(join(folder, name));
      mkdirSync(join(folder, name));
      expect(run(main)).toBe('refused: undefined\nIt runs.\n');
    });

    const asRoot = onlyWhere(process.getuid?.() === 0, 'files of others are made by root alone');
    asRoot.it('takes nothing that somebody else put into the data folder', () => {
      run(main);
      mkdirSync(data);
      renameSync(join(folder, name), join(data, name));
      expect(run(main)).toContain('refused: false');
      chownSync(join(data, name), 12345, 12345);
      expect(run(main)).toContain('refused: undefined');
    });
  });
});
