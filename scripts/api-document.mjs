/**
 * Makes the OpenAPI document from the sources, for tests. It is kept under .cache and made again when the sources have
 * changed. It needs no database and no port: the application is only previewed, which makes no instances.
 *
 * To run it directly: node scripts/api-document.mjs
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitBecauseOf, root, sourceFingerprint } from './prepare.mjs';

const self = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);
const file = path.join(root, '.cache', 'openapi.json');

/** The document of the sources as they are now. */
export function apiDocument() {
  const fingerprint = sourceFingerprint();
  const kept = read();
  if (kept?.fingerprint === fingerprint) return kept.document;
  execFileSync(process.execPath, [self], { stdio: 'inherit' });
  return read().document;
}

function read() {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

async function make() {
  const fingerprint = sourceFingerprint();
  process.env.DATABASE_URL = ''; // column types follow it
  require('./typescript.cjs').install();
  const { NestFactory } = require('@nestjs/core');
  const { describeApi } = require('../src/app.docs.ts');
  const { AppModule } = require('../src/app.module.ts');
  const { readSettings } = require('../src/app.settings.ts');
  const { setRoutePrefix } = require('../src/app.setup.ts');
  const { ApiExpressAdapter } = require('../src/platform/common/http/api-express.adapter.ts');
  const module = AppModule.with(readSettings({}), {});
  const options = { preview: true, logger: ['error'], abortOnError: false };
  const app = await NestFactory.create(module, new ApiExpressAdapter(), options);
  setRoutePrefix(app);
  write(JSON.stringify({ fingerprint, document: describeApi(app) }));
}

/** Several processes may write it at once. */
function write(text) {
  const own = `${file}.${process.pid}`;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(own, text);
  renameSync(own, file);
}

if (process.argv[1] && path.resolve(process.argv[1]) === self) {
  // No top-level await: the tests load this file with require.
  void make().catch(exitBecauseOf);
}
