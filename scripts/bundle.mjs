/**
 * Bundles the programs of the server from their sources: one file, which starts in a fraction of the CPU time of its modules.
 * `npm run build` puts the bundle into dist/ after compiling, and the tests run one of their own, made without checking types.
 *
 * Run alone: node scripts/bundle.mjs [FOLDER]
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { patched, withClassNames } from './bundle-patches.mjs';
import { exitBecauseOf, root, sourceFingerprint, withWorkLock } from './prepare.mjs';

const self = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);
const { compiled } = require('./typescript.cjs');
const runner = path.join(root, 'scripts', 'run-bundle.cjs');
const ofTests = path.join(root, '.cache', 'programs');
const stamp = path.join(ofTests, 'stamp');
/** Each program, and its file in src. */
const programs = {
  main: 'main',
  backup: 'startup/backup',
  restore: 'startup/restore',
  'rotate-key': 'startup/rotate-key',
  'create-admin': 'startup/create-admin',
  'reset-password': 'startup/reset-password',
};
const RUN_TIMEOUT_MS = 60_000;
/** Stack traces name functions, and lines short enough to find the place in. */
const LINE_LIMIT = 120;

/** Packages that are native, read files by path, or are optional in TypeORM and Nest and not installed. */
const outside = [
  ...['emojilib', 'file-type', 'form-data', 'js-yaml'],
  ...['@node-rs/argon2', '@photostructure/sqlite', 'swagger-ui-dist', 'bufferutil', 'utf-8-validate'],
  // Not its API, which the metrics library loads anyway.
  ...['exporter-trace-otlp-http', 'resources', 'sdk-trace-base'].map((name) => `@opentelemetry/${name}`),
  ...['@fastify/*', '@nestjs/microservices', '@nestjs/platform-fastify', '@nestjs/websockets'],
  ...[
    '@google-cloud/spanner',
    '@sap/hana-client',
    'better-sqlite3',
    'bullmq',
    'hdb-pool',
    'ioredis',
    'mongodb',
    'mssql',
  ],
  ...['mysql', 'oracledb', 'pg', 'pg-native', 'pg-query-stream', 'react-native-sqlite-storage', 'redis'],
  ...['sql.js', 'sqlite3', 'typeorm-aurora-data-api-driver', 'class-transformer/storage'],
];

/** The file that starts one of the programs. Bundles again if the sources have changed. */
export function programFile(name) {
  if (!isFresh()) execFileSync(process.execPath, [self], { stdio: 'inherit' });
  return path.join(ofTests, 'src', `${programs[name]}.js`);
}

function isFresh() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceFingerprint();
}

async function bundleForTests() {
  const current = sourceFingerprint();
  rmSync(ofTests, { recursive: true, force: true });
  await bundleInto(ofTests);
  writeFileSync(stamp, current);
}

/** Puts the bundle into a folder, and in src/ below it a file that starts each program. */
async function bundleInto(folder) {
  const { outputFiles } = await require('esbuild').build({
    ...bundleOptions(),
    stdin: { contents: allPrograms(), resolveDir: path.join(root, 'src') },
    minifyWhitespace: true, // the text stays in memory
    lineLimit: LINE_LIMIT,
    outdir: folder,
    write: false,
    logLevel: 'error',
  });
  const text = inAscii(asFunction(withKeptCopies(outputFiles[0].text)));
  const name = `programs-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.js`;
  removeOldBundles(folder);
  mkdirSync(path.join(folder, 'src', 'startup'), { recursive: true });
  writeFileSync(path.join(folder, name), text);
  copyFileSync(runner, path.join(folder, 'run-bundle.js'));
  for (const [program, file] of Object.entries(programs)) {
    const start = path.join(folder, 'src', `${file}.js`);
    const up = path.relative(path.dirname(start), folder).replaceAll(path.sep, '/');
    writeFileSync(
      start,
      `'use strict';\nrequire('${up}/run-bundle.js')('${name}', '${program}', __filename);\n`,
    );
  }
  await runOnce(path.join(folder, 'src', 'main.js'));
}

/** One script for all, in which each program runs when it is called. */
function allPrograms() {
  return Object.entries(programs)
    .map(([name, file]) => `export { run as '${name}' } from './${file}.ts';`)
    .join('\n');
}

/** Node.js wraps modules like this. */
function asFunction(text) {
  return `(function (exports, require, module, __filename, __dirname) {${text}\n})`;
}

/** esbuild copies the exports of an ECMAScript module for each module that requires it; once is enough. */
function withKeptCopies(text) {
  const from = /\bvar __toCommonJS=\(?mod\)?=>/;
  if (!from.test(text)) throw new Error('esbuild has another __toCommonJS: see scripts/bundle.mjs.');
  return text.replace(
    from,
    `var __copies=new Map();
var __toCommonJS=mod=>__copies.get(mod)??(__copies.set(mod,__copyOf(mod)),__copies.get(mod));
var __copyOf=mod=>`,
  );
}

/** esbuild leaves other characters in regular expressions and comments. */
function inAscii(text) {
  return text.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function removeOldBundles(folder) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.startsWith('programs-')) rmSync(path.join(folder, name));
}

/** Starts the server on an empty folder and stops it, so that V8 keeps what it compiles. Without that it only starts slower. */
async function runOnce(main) {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-build-'));
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    NODE_ENV: 'production',
  };
  const server = spawn(process.execPath, [main], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: RUN_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const ended = once(server, 'close');
  for await (const line of createInterface({ input: server.stdout })) {
    const url = /^ *Listens on +(\S+)/.exec(line)?.[1];
    if (url) await fetch(`${url}/api/v4/system/ping`).finally(() => server.kill('SIGTERM'));
  }
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

/** How esbuild bundles the server. */
export function bundleOptions() {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    // Its ECMAScript modules: only what is used of them is kept.
    alias: { rxjs: path.join(root, 'node_modules', 'rxjs', 'dist', 'esm') },
    target: 'node20',
    format: 'cjs',
    supported: { 'dynamic-import': false }, // scripts from V8's code cache cannot import
    external: outside,
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [
      { name: 'typescript', setup: loadTypescript },
      { name: 'one-typeorm', setup: loadTypeormOnce },
      patched,
    ],
  };
}

/** Compiles with swc for the decorator metadata, and resolves imports of compiled files to their sources. */
function loadTypescript(build) {
  build.onResolve({ filter: /^\..*\.js$/ }, ({ importer, resolveDir, path: name }) => {
    const file = path.resolve(resolveDir, `${name.slice(0, -3)}.ts`);
    return importer.endsWith('.ts') && existsSync(file) ? { path: file } : undefined;
  });
  build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => ({
    contents: withSharedHelpers(withClassNames(withoutGlobalTypes(compiled(file, 'es6')))),
    loader: 'js',
    resolveDir: path.dirname(file),
  }));
  build.onLoad({ filter: /./, namespace: 'decorators' }, () => ({
    contents:
      "export { __decorate as _ts_decorate, __metadata as _ts_metadata, __param as _ts_param } from 'tslib';",
    resolveDir: root,
  }));
  build.onResolve({ filter: /^decorators$/ }, ({ path: name }) => ({ path: name, namespace: 'decorators' }));
}

/** swc gives each file functions of its own that apply decorators. */
function withSharedHelpers(text) {
  const names = [];
  const rest = text.replace(/^function (_ts_\w+)\([^]*?^}$\n/gm, (_, name) => (names.push(name), ''));
  return names.length === 0 ? text : `import { ${names.join(', ')} } from 'decorators';\n${rest}`;
}

/** swc takes the type of an argument for a global of the same name; reading that one loads the HTTP client inside Node.js. */
function withoutGlobalTypes(text) {
  return text.replaceAll('typeof Response === "undefined" ? Object : Response', 'Object');
}

/** Nest looks for exports of TypeORM 0.3 by a `require` of its own, which would load a second TypeORM from disk. */
function loadTypeormOnce(build) {
  build.onLoad({ filter: /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ }, () => ({
    contents: 'export const Connection = undefined, AbstractRepository = undefined;',
  }));
}

if (process.argv[1] && path.resolve(process.argv[1]) === self) {
  const [folder] = process.argv.slice(2);
  const work = async () => {
    if (folder) await bundleInto(path.resolve(root, folder));
    else if (!isFresh()) await bundleForTests();
  };
  // No top-level await: the tests load this file with require. prepare.mjs holds the lock while it builds.
  void (folder ? work() : withWorkLock(work)).catch(exitBecauseOf);
}
