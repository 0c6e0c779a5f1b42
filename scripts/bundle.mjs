/**
 * Bundles the sources of the server into one file, which starts faster than a thousand modules. Packages stay
 * outside. `npm run build` puts the bundle into dist/ after compiling; the tests run one of their own, made without
 * checking types.
 *
 * To run it directly: node scripts/bundle.mjs [FOLDER]
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitBecauseOf, root, sourceFingerprint, withWorkLock } from './prepare.mjs';

const self = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);
const ofTests = path.join(root, '.cache', 'programs');
const stamp = path.join(ofTests, 'stamp');
const BUNDLE = 'programs.js';
/** Each program, and its file in src. */
const programs = {
  main: 'main',
  backup: 'startup/backup',
  restore: 'startup/restore',
  'rotate-key': 'startup/rotate-key',
  'create-admin': 'startup/create-admin',
  'reset-password': 'startup/reset-password',
  listen: 'startup/listen',
  import: 'startup/import',
  export: 'startup/export',
  plan: 'startup/plan',
  apply: 'startup/apply',
};

/** Packages that are not bundled. */
const outside = [
  // Nest loads the installed copies of these, so bundling them would load each twice.
  ...['typeorm', 'class-validator', 'class-transformer', 'reflect-metadata', 'tslib'],
  // Native, or read files by their path.
  ...['@node-rs/argon2', '@node-rs/bcrypt', '@photostructure/sqlite', 'swagger-ui-dist', 'pino'],
  // Its regular expressions are not ASCII.
  'liquidjs',
  // Loaded where they are used: Redis, traces, MySQL, YAML.
  ...['bullmq', 'ioredis', 'mysql2', 'yaml'],
  ...['exporter-trace-otlp-http', 'resources', 'sdk-trace-base'].map((name) => `@opentelemetry/${name}`),
  // Optional parts of packages, which are not installed.
  ...[
    'bufferutil',
    'utf-8-validate',
    '@nestjs/microservices',
    '@nestjs/websockets',
    '@nestjs/platform-fastify',
    '@fastify/*',
  ],
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
  const contents = Object.entries(programs)
    .map(([name, file]) => `export { run as '${name}' } from './${file}.ts';`)
    .join('\n');
  await require('esbuild').build({
    ...bundleOptions(),
    stdin: { contents, resolveDir: path.join(root, 'src') },
    outfile: path.join(folder, BUNDLE),
    logLevel: 'error',
  });
  if (/[^\0-\x7f]/.test(readFileSync(path.join(folder, BUNDLE), 'utf8')))
    throw new Error(
      'The bundle is not ASCII, so V8 needs twice the memory. Avoid other characters in regular expressions.',
    );
  mkdirSync(path.join(folder, 'src', 'startup'), { recursive: true });
  for (const [program, file] of Object.entries(programs)) {
    const start = path.join(folder, 'src', `${file}.js`);
    writeFileSync(start, starter(path.relative(path.dirname(start), folder), program));
  }
}

/** Node.js from 22.1 on caches compiled code next to the bundle, if the folder is writable. */
function starter(up, program) {
  const folder = up.replaceAll(path.sep, '/');
  return `'use strict';
const { join } = require('node:path');
require('node:module').enableCompileCache?.(join(__dirname, '${folder}', 'compiled'));
void require('${folder}/${BUNDLE}')['${program}'](__filename);
`;
}

/** How esbuild bundles the server. */
export function bundleOptions() {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    external: outside,
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    minifyWhitespace: true, // the text stays in memory
    legalComments: 'external', // they are not ASCII
    lineLimit: 120, // for stack traces
    target: 'node20',
    format: 'cjs',
    plugins: [{ name: 'typescript', setup: compileWithSwc }],
  };
}

/** esbuild does not emit the metadata of decorators, from which Nest and TypeORM learn types. */
function compileWithSwc(build) {
  const { compiled } = require('./typescript.cjs');
  build.onResolve({ filter: /^\..*\.js$/ }, ({ importer, resolveDir, path: name }) => {
    const file = path.resolve(resolveDir, `${name.slice(0, -3)}.ts`);
    return importer.endsWith('.ts') && existsSync(file) ? { path: file } : undefined;
  });
  build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => ({
    contents: withClassNames(compiled(file, 'es6')),
    loader: 'js',
    resolveDir: path.dirname(file),
  }));
}

/** esbuild renames classes; Swagger, logs and errors show their names. Its own `keepNames` costs 10 % of a request. */
function withClassNames(contents) {
  const names = [...contents.matchAll(/(?:^|^.*\*\/ )(?:export )?(?:let \w+ = )?class (\w+)/gm)].map(
    ([, name]) => name,
  );
  const define = (name) =>
    `Object.defineProperty(${name}, 'name', { value: '${name}', configurable: true });`;
  return [contents, ...names.map(define)].join('\n');
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
