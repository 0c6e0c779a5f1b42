/** What the servers of a test file said that somebody should read when a test fails. */

const KEPT_LINES = 2_000;
/** @type {string[]} */
const lines = [];
let taken = 0;

/** Keeps a line of a server's output: one of its log at level warn and above, and any other that is `isWrong`. */
export function keepServerLine(/** @type {string} */ line, isWrong = false) {
  if (!isWrong && !/"level":"(warn|error|fatal)"/.test(line)) return;
  lines.push(line);
  taken++;
  if (lines.length > KEPT_LINES) lines.shift();
}

/** How many lines there have been, for `serverLinesSince`. */
export const serverLineCount = () => taken;

/** What has been said since then. */
export const serverLinesSince = (/** @type {number} */ count) =>
  taken > count ? lines.slice(count - taken) : [];
