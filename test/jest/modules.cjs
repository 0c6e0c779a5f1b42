/**
 * The modules that the tests of a worker share, once per kind of database and number of instances: entities are declared
 * for a database, and suites decide when they are loaded what instances can do.
 */
'use strict';
const path = require('node:path');
const { install, root } = require('../../scripts/typescript.cjs');

install();
const own = ['src', 'test'].map((folder) => path.join(root, folder) + path.sep);
const isOwn = (filename) => own.some((folder) => filename.startsWith(folder)) && filename.endsWith('.ts');
const kept = new Map();
let current;

/** From now on `require` returns the modules of this kind. */
function useModulesOf(kind) {
  if (kind === current) return;
  const away = new Map();
  for (const [filename, module] of Object.entries(require.cache)) {
    if (!isOwn(filename)) continue;
    away.set(filename, module);
    delete require.cache[filename];
  }
  if (current !== undefined) kept.set(current, away);
  for (const [filename, module] of kept.get(kind) ?? []) require.cache[filename] = module;
  current = kind;
}

/** From now on `require` reloads the shared modules. */
function forgetModules() {
  for (const filename of Object.keys(require.cache)) if (isOwn(filename)) delete require.cache[filename];
}

module.exports = { forgetModules, useModulesOf };
