/** Loads the sources anew for each test file: a mutant may be in what a module does when it is loaded. */
'use strict';
const SharedEnvironment = require('../jest/environment.cjs');
const { forgetModules } = require('../jest/modules.cjs');

module.exports = class extends SharedEnvironment {
  constructor(config, context) {
    forgetModules();
    super(config, context);
  }
};
