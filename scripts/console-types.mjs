/**
 * Makes the types of the API for the console, from its OpenAPI document, into .cache/console/. They are made again when the
 * sources have changed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { apiDocument } from './api-document.mjs';
import { root, sourceFingerprint } from './prepare.mjs';

const folder = path.join(root, '.cache', 'console');
const types = path.join(folder, 'api.d.ts');
const generator = path.join(root, 'node_modules', 'openapi-typescript', 'bin', 'cli.js');

const mark = `// ${sourceFingerprint()}\n`;
if (!existsSync(types) || !readFileSync(types, 'utf8').startsWith(mark)) {
  mkdirSync(folder, { recursive: true });
  const document = path.join(folder, `openapi.${process.pid}.json`);
  const made = path.join(folder, `api.${process.pid}.d.ts`);
  writeFileSync(document, JSON.stringify(apiDocument()));
  execFileSync(process.execPath, [generator, document, '-o', made], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(made, mark + readFileSync(made, 'utf8'));
  renameSync(made, types);
  rmSync(document);
}
