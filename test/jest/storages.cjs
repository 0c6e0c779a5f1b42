/**
 * Each AsyncLocalStorage slows every promise of the process down until it is disabled, and jest makes one per file, as each
 * server does. Used again, one is enabled by itself.
 */
'use strict';
const asyncHooks = require('node:async_hooks');

const made = new Set();

asyncHooks.AsyncLocalStorage = class extends asyncHooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options);
    made.add(this);
  }
};

/** Disables all that were made since the last time. */
function disableStorages() {
  for (const storage of made) storage.disable();
  made.clear();
}

module.exports = { disableStorages };
