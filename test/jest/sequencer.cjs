/**
 * Starts the slowest suites first, so that no core waits at the end for a suite that started late. Jest knows earlier
 * durations; a fresh clone knows only file sizes.
 */
'use strict';
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Suites that take far longer than their size suggests, because of processes, waits or generated runs; the slowest
 * first.
 */
const long = (
  'example-module linear-cost access-statuses owner-lock lanes outage ' +
  'bad-input outbound crash faults outgoing-pull workers ' +
  'import-refusals import-traps key-rotation plans bootstrap import-rocketchat ' +
  'installation live-scaled outgoing-dispatch outgoing-races same-host abuse ' +
  'remote-cluster-pings remote-cluster-peers-outgoing backup account-commands import-interrupted outgoing-pace-scaled ' +
  'outgoing-pace posts-large shared-channels handshake-crash commit-order dispatcher.model ' +
  'access-refused upgrade tracing api-docs'
).split(' ');
const place = ({ path: file }) => long.indexOf(path.basename(file).replace(/\.(e2e-)?spec\.ts$/, ''));

class LongestFirst extends Sequencer {
  sort(tests) {
    const [first, rest] = [[], []];
    for (const test of super.sort(tests))
      (test.duration === undefined && place(test) >= 0 ? first : rest).push(test);
    return [...first.sort((one, other) => place(one) - place(other)), ...rest];
  }
}

module.exports = LongestFirst;
