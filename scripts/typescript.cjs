/**
 * Lets `require` load the TypeScript sources: swc compiles them to CommonJS, cached under .cache. Like the build, an
 * import names the compiled file ('./x.js'); here the source next to it is loaded.
 */
'use strict';
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const root = path.resolve(__dirname, '..');
const folder = path.join(root, '.cache', 'typescript');
const options = {
  swcrc: false,
  sourceMaps: true,
  module: { type: 'commonjs', lazy: ['mysql2', 'mysql2/promise', 'node-emoji'] }, // few servers and messages need them
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
};
const salt = JSON.stringify([options, require('@swc/core/package.json').version]);

/** Where the source map of each loaded file is. */
const sourceMaps = new Map();

function install() {
  Module._extensions['.ts'] = (module, filename) => module._compile(compiled(filename), filename);
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function (request, parent, ...rest) {
    return sourceOf(request, parent) ?? resolve.call(this, request, parent, ...rest);
  };
}

function sourceOf(request, parent) {
  if (!request.startsWith('.') || !request.endsWith('.js') || !parent?.filename?.endsWith('.ts'))
    return undefined;
  const file = path.resolve(path.dirname(parent.filename), `${request.slice(0, -3)}.ts`);
  return existsSync(file) ? file : undefined;
}

/** As CommonJS, or as an ECMAScript module. */
function compiled(filename, type = 'commonjs') {
  const source = readFileSync(filename, 'utf8');
  const mark = `\n//${hash(salt, source)}`;
  // A copy of the repository can reuse the cache.
  const file = path.join(
    folder,
    `${hash(path.relative(root, filename))}${type === 'commonjs' ? '' : `-${type}`}.js`,
  );
  sourceMaps.set(filename, `${file}.map`);
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (kept.endsWith(mark)) return kept;
  const { code, map } = require('@swc/core').transformSync(source, {
    ...options,
    module: type === 'commonjs' ? options.module : { type },
    filename,
  });
  write(`${file}.map`, map);
  write(file, code + mark);
  return code;
}

function hash(...texts) {
  const digest = createHash('sha1');
  for (const text of texts) digest.update(text).update('\0');
  return digest.digest('hex');
}

/** Several workers may write the same file at once. */
function write(file, text) {
  mkdirSync(folder, { recursive: true });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, text);
  renameSync(own, file);
}

module.exports = { compiled, install, options, root, sourceMaps };
