/**
 * Jest's runtime, but what a test file imports is loaded by Node and stays loaded for the next file of the worker: to
 * load the server anew costs seconds for each file. The test file itself is jest's own, as is the `jest` object.
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
    // In this very realm, so that a test and the server have the same Error, Map and Promise.
    this.executor.compile = (source, filename) => vm.compileFunction(source, parameters, { filename });
    // Helpers of the tests are shared modules, to which `jest` is a global.
    environment.global.jest = this.jestGlobals.jestObjectFor(testPath);
  }

  requireModuleOrMock(from, name) {
    return createRequire(from)(name.startsWith('.') ? name.replace(/\.js$/, '') : name);
  }

  installGetBuiltinModule() {
    // There is one `process` only.
  }

  getSourceMaps() {
    const own = super.getSourceMaps();
    // Both fill up while the tests run.
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
