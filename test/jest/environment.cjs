/**
 * One realm for all test files of a worker; globals that a file adds are removed with it. A failing test prints the
 * warnings of the servers during it.
 */
'use strict';
const { disableStorages } = require('./storages.cjs');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { ApiClient } = require('../support/api-client.mjs');
const { reportFault, takeFaults } = require('../support/faults.mjs');
const { findWrittenSecrets } = require('../support/secret-scan.mjs');
const { forgetSecrets } = require('../support/secrets.mjs');
const { serverLineCount, serverLinesSince } = require('../support/server-logs.mjs');
const { useModulesOf } = require('./modules.cjs');

/** Globals that jest leaves for a file and must not find for the next one. */
const ofOneFile = ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL'].map((name) => Symbol.for(name));

class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #linesBefore = serverLineCount();
  #console = globalThis.console;
  #exit = process.exit;
  #env = { ...process.env };
  #tests;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    const { database = 'sqlite', instances = 1 } = projectConfig.testEnvironmentOptions;
    // Column types follow the database of the process (src/platform/config/settings.ts).
    process.env.TEST_DATABASE = database;
    process.env.TEST_INSTANCES = String(instances);
    process.env.DATABASE_URL = database === 'mysql' ? process.env.TEST_MYSQL_URL : '';
    useModulesOf(`${database} ${instances}`);
    // Loaded by the first response, because unit specs do not need it.
    ApiClient.onAnswer = (exchange) => require('../support/answer-check.mjs').checkExchange(exchange);
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    disableStorages();
    empty(this.#tests);
    for (const key of ofOneFile) delete globalThis[key];
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
  }

  handleTestEvent({ name, test, error }, { unhandledErrors, rootDescribeBlock }) {
    this.#tests = rootDescribeBlock;
    if (name === 'test_start') this.#linesBefore = serverLineCount();
    if (name === 'test_done') test.errors.push(...takeFaults().map((fault) => [fault]));
    if (name === 'test_done' && test.errors.length > 0)
      this.#addServerLines((note) => test.errors.push([note]));
    if (name === 'hook_failure' && !test && error instanceof Error)
      this.#addServerLines((note) => (error.stack += `\n\n${note.stack}`));
    if (name !== 'run_finish') return;
    for (const fault of findWrittenSecrets()) reportFault(fault);
    unhandledErrors.push(...takeFaults());
    forgetSecrets();
  }

  #addServerLines(add) {
    const lines = serverLinesSince(this.#linesBefore);
    if (lines.length === 0) return;
    const note = new Error();
    note.stack = ['Meanwhile the servers said:', ...lines].join('\n  ');
    add(note);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
}

/** Native modules keep the test that ran when they were called, and through its functions and errors the servers. */
function empty(block) {
  for (const one of [...(block?.hooks ?? []), ...(block?.children ?? [])]) {
    empty(one);
    for (const key of Object.keys(one)) delete one[key];
  }
}

module.exports = SharedEnvironment;
