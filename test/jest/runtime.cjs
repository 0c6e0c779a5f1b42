/**
 * Jest's runtime, but what a test file imports is loaded by Node and stays loaded for the next file of the worker: to
 * load the server anew costs seconds for each file. The test file itself is jest's own, as is the `jest` object.
 */
'use strict';
const { createRequire } = require('node:module');
const vm = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');
const typescript = require('./typescript.cjs');

class SharedModulesRuntime extends JestRuntime {
  constructor(config, environment, resolver, transformer, cacheFS, coverage, testPath, globalConfig) {
    super(config, environment, resolver, transformer, cacheFS, coverage, testPath, globalConfig);
    const parameters = this.executor.injectedModuleParameters;
    // In this very realm, so that a test and the server have the same Error, Map and Promise.
    this.executor.compile = (source, filename) =>
      vm.compileFunction(source, parameters, {
        filename,
        importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
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
    return new Map([...typescript.sourceMaps, ...super.getSourceMaps()]);
  }
}

module.exports = SharedModulesRuntime;
