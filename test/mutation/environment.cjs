/**
 * Reloads the sources for each test file, because a mutation may be in code that runs on load. One failed test is
 * enough: once a mutation is detected, its other tests are skipped.
 */
'use strict';
const SharedEnvironment = require('../jest/environment.cjs');
const { forgetModules } = require('../jest/modules.cjs');

/** The number of the last detected mutation. */
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
