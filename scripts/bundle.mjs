/**
 * Bundles each program of the server from its sources into one file, for tests: it starts in half the CPU time of dist/.
 * The bundles are not shipped, and types are not checked.
 *
 * Run alone: node scripts/bundle.mjs
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitBecauseOf, root, sourceFingerprint, withWorkLock } from './prepare.mjs';

const self = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);
const folder = path.join(root, '.cache', 'programs');
const stamp = path.join(folder, 'stamp');
const compiler = path.join(root, 'test', 'jest', 'typescript.cjs');
const programs = {
  main: 'src/main.ts',
  backup: 'src/startup/backup.ts',
  restore: 'src/startup/restore.ts',
  'rotate-key': 'src/startup/rotate-key.ts',
  'create-admin': 'src/startup/create-admin.ts',
  'reset-password': 'src/startup/reset-password.ts',
};

/** Packages that are native, read files by path, or are optional in TypeORM and Nest and not installed. */
const outside = [
  ...['@node-rs/argon2', '@photostructure/sqlite', 'swagger-ui-dist', 'bufferutil', 'utf-8-validate'],
  ...['@fastify/*', '@nestjs/microservices', '@nestjs/platform-fastify', '@nestjs/websockets'],
  ...[
    '@google-cloud/spanner',
    '@sap/hana-client',
    'better-sqlite3',
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
  return path.join(folder, `${name}.start.cjs`);
}

function isFresh() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

function fingerprint() {
  const digest = createHash('sha256').update(sourceFingerprint());
  for (const file of [self, compiler]) digest.update(readFileSync(file));
  return digest.digest('hex');
}

async function bundle() {
  const current = fingerprint();
  rmSync(folder, { recursive: true, force: true });
  await require('esbuild').build({ ...bundleOptions(programs, folder), logLevel: 'error' });
  for (const name of Object.keys(programs))
    writeFileSync(path.join(folder, `${name}.start.cjs`), startFile(name));
  writeFileSync(stamp, current);
}

/** How esbuild bundles these programs into a folder. */
export function bundleOptions(entryPoints, outdir) {
  return {
    absWorkingDir: root,
    entryPoints,
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    supported: { 'dynamic-import': false }, // scripts from V8's code cache cannot import
    keepNames: true,
    external: outside,
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [
      { name: 'typescript', setup: loadTypescript },
      { name: 'one-typeorm', setup: loadTypeormOnce },
    ],
  };
}

/** Compiles with swc for the decorator metadata, and resolves imports of compiled files to their sources. */
function loadTypescript(build) {
  const { compiled } = require(compiler);
  build.onResolve({ filter: /^\..*\.js$/ }, ({ importer, resolveDir, path: name }) => {
    const file = path.resolve(resolveDir, `${name.slice(0, -3)}.ts`);
    return importer.endsWith('.ts') && existsSync(file) ? { path: file } : undefined;
  });
  build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => ({
    contents: compiled(file),
    loader: 'js',
    resolveDir: path.dirname(file),
  }));
}

/** Nest looks for exports of TypeORM 0.3 by a `require` of its own, which would load a second TypeORM from disk. */
function loadTypeormOnce(build) {
  build.onLoad({ filter: /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ }, () => ({
    contents: 'export const Connection = undefined, AbstractRepository = undefined;',
  }));
}

/** Runs a bundle with V8's code cache, which the first process that exits normally writes. */
function startFile(name) {
  return `'use strict';
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const vm = require('node:vm');
const file = ${JSON.stringify(path.join(folder, `${name}.cjs`))};
const kept = \`\${file}.\${process.version}.\${process.arch}\`;
const script = new vm.Script(Module.wrap(readFileSync(file, 'utf8')), {
  filename: file,
  cachedData: existsSync(kept) ? readFileSync(kept) : undefined,
});
script.runInThisContext()(exports, Module.createRequire(file), module, file, __dirname);
if (!existsSync(kept))
  process.on('exit', () => {
    if (existsSync(kept)) return;
    writeFileSync(\`\${kept}.\${process.pid}\`, script.createCachedData());
    renameSync(\`\${kept}.\${process.pid}\`, kept);
  });
`;
}

if (process.argv[1] && path.resolve(process.argv[1]) === self) {
  // No top-level await: the tests load this file with require.
  void withWorkLock(async () => {
    if (!isFresh()) await bundle();
  }).catch(exitBecauseOf);
}
