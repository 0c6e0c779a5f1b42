/** Collects server output that helps to explain a failing test. */

const KEPT_LINES = 2_000;
/** @type {string[]} */
const lines = [];
let taken = 0;

/** Records a line of server output: log lines at level warn and above, and other lines if `isWrong`. */
export function keepServerLine(/** @type {string} */ line, isWrong = false) {
  if (!isWrong && !/"level":"(warn|error|fatal)"/.test(line)) return;
  lines.push(line);
  taken++;
  if (lines.length > KEPT_LINES) lines.shift();
}

/** The number of lines so far, for `serverLinesSince`. */
export const serverLineCount = () => taken;

/** The lines since then. */
export const serverLinesSince = (/** @type {number} */ count) =>
  taken > count ? lines.slice(count - taken) : [];
