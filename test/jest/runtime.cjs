/**
 * Jest's runtime, except that Node loads the imports of a test file and keeps them for the next file of the worker,
 * because loading the server takes seconds per file. The test file itself and the `jest` object are jest's own.
 */
'use strict';
const { createRequire } = require('node:module');
const vm = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');
const typescript = require('../../scripts/typescript.cjs');

class SharedModulesRuntime extends JestRuntime {
  constructor(config, environment, resolver, transformer, cacheFS, coverage, testPath, globalConfig) {
    super(config, environment, resolver, transformer, cacheFS, coverage, testPath, globalConfig);
    const parameters = this.executor.injectedModuleParameters;
    // In this realm, so that a test and the server share Error, Map and Promise.
    this.executor.compile = (source, filename) => vm.compileFunction(source, parameters, { filename });
    // Test helpers are shared modules and see `jest` as a global.
    environment.global.jest = this.jestGlobals.jestObjectFor(testPath);
  }

  requireModuleOrMock(from, name) {
    return createRequire(from)(name.startsWith('.') ? name.replace(/\.js$/, '') : name);
  }

  installGetBuiltinModule() {
    // There is only one `process`.
  }

  getSourceMaps() {
    const own = super.getSourceMaps();
    // Both grow while the tests run.
    return {
      get: (file) => own.get(file) ?? typescript.sourceMaps.get(file),
      *[Symbol.iterator]() {
        yield* typescript.sourceMaps;
        yield* own;
      },
    };
  }
}

module.exports = SharedModulesRuntime;
