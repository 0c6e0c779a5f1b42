/**
 * What `enableCompileCache` does from Node.js 22.1 on, for the programs that tests start on Node.js 20: they load the
 * compiled code of the bundle and its packages from one file, in half the time.
 *
 * To write that file: node scripts/compile-cache.cjs BUNDLE FILE
 */
'use strict';
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { deserialize, serialize } = require('node:v8');
const vm = require('node:vm');

/** From now on `require` takes compiled code from the file. Returns the scripts that are loaded. */
function useCompiled(file) {
  const kept = existsSync(file) ? deserialize(readFileSync(file)) : new Map();
  const scripts = new Map();
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (source, filename) {
    // V8 forgets how to import from code that was compiled earlier; bundle.mjs leaves no imports in the bundle.
    if (filename.includes('node_modules') && source.includes('import('))
      return compile.call(this, source, filename);
    const wrapped = Module.wrap(source.replace(/^#!.*/, ''));
    const script = new vm.Script(wrapped, { filename, cachedData: kept.get(filename) });
    scripts.set(filename, script);
    const require = Object.assign((name) => this.require(name), Module.createRequire(filename));
    const place = [this, filename, path.dirname(filename)];
    return script.runInThisContext().call(this.exports, this.exports, require, ...place);
  };
  return scripts;
}

module.exports = { useCompiled };

if (require.main === module) {
  const [bundle, file] = process.argv.slice(2);
  const scripts = useCompiled(file);
  require(path.resolve(bundle));
  writeFileSync(
    file,
    serialize(new Map([...scripts].map(([name, script]) => [name, script.createCachedData()]))),
  );
}
