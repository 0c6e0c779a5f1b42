/** Writes what each part of a run counted, as JSON, to the file that TEST_COUNTS names. */
'use strict';
const { writeFileSync } = require('node:fs');

class CountsReporter {
  #parts = {};

  onTestResult({ context }, result) {
    const name = context.config.displayName.name;
    const part = (this.#parts[name] ??= { passed: 0, failed: 0, skipped: 0 });
    part.passed += result.numPassingTests;
    // A file that could not run holds no test, yet it is a failure.
    part.failed += result.numFailingTests + (result.testExecError && result.numFailingTests === 0 ? 1 : 0);
    part.skipped += result.numPendingTests + result.numTodoTests;
  }

  onRunComplete() {
    writeFileSync(process.env.TEST_COUNTS, JSON.stringify(this.#parts));
  }
}

module.exports = CountsReporter;
