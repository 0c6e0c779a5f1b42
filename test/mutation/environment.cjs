/**
 * Loads the sources anew for each test file: a change may be in what a module does when it is loaded. One failed test is
 * enough: once a change is noticed, its other tests are skipped.
 */
'use strict';
const SharedEnvironment = require('../jest/environment.cjs');
const { forgetModules } = require('../jest/modules.cjs');

/** The last change that was noticed, by its number. */
let noticed;

module.exports = class extends SharedEnvironment {
  #change = process.env.__STRYKER_ACTIVE_MUTANT__;

  constructor(config, context) {
    forgetModules();
    super(config, context);
  }

  handleTestEvent(event, state) {
    super.handleTestEvent(event, state);
    if (this.#change === undefined) return;
    if (event.name === 'test_start' && noticed === this.#change) event.test.mode = 'skip';
    if (event.name === 'test_done' && event.test.errors.length > 0) noticed = this.#change;
  }
};
