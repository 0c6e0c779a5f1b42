/** Writes the counts of each part of a run, and the failed files, as JSON to the file in TEST_COUNTS. */
'use strict';
const { writeFileSync } = require('node:fs');
const path = require('node:path');

/** Added by test/support/only-where.ts to the title of a test or group. */
const givenReason = /\[skipped: (.+?)\]/;

class CountsReporter {
  #parts = {};
  #failures = [];

  onTestResult({ context, path: file }, result) {
    const name = context.config.displayName.name;
    const part = (this.#parts[name] ??= { passed: 0, failed: 0, skipped: 0, reasons: {}, unexplained: [] });
    const passed = result.numPassingTests;
    // A file that could not run contains no test, but is a failure.
    const failed = result.numFailingTests + (result.testExecError && result.numFailingTests === 0 ? 1 : 0);
    part.passed += passed;
    part.failed += failed;
    if (failed > 0) this.#failures.push({ project: name, file, passed, failed });
    part.skipped += result.numPendingTests + result.numTodoTests;
    for (const { fullName, status } of result.testResults) {
      if (status === 'passed' || status === 'failed') continue;
      const reason = givenReason.exec(fullName)?.[1];
      const where = `${path.relative(process.cwd(), file)}: ${reason ?? fullName}`;
      if (reason) part.reasons[where] = (part.reasons[where] ?? 0) + 1;
      else part.unexplained.push(where);
    }
  }

  onRunComplete(_, { snapshot }) {
    const { didUpdate, uncheckedKeysByFile, filesRemovedList = [] } = snapshot;
    const files = [...uncheckedKeysByFile.map(({ filePath }) => filePath), ...filesRemovedList];
    const obsolete = didUpdate ? [] : [...new Set(files.map((file) => path.relative(process.cwd(), file)))];
    writeFileSync(
      process.env.TEST_COUNTS,
      JSON.stringify({ parts: this.#parts, obsolete, failures: this.#failures }),
    );
  }
}

module.exports = CountsReporter;
