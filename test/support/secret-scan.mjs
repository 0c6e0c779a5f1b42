/**
 * Searches the output of the servers of a test file for the secrets that the file has used. Every server registers
 * its logs and metrics, and every database its audit rows; the test environment runs the search at the end. The
 * labels of metrics are checked for all outside input.
 */
import { findStrangeLabels } from './metric-labels.mjs';
import { findSecrets, withoutSecrets } from './secrets.mjs';

const SHOWN_LINES = 3;
const SHOWN_LENGTH = 500;

/** @type {{ readonly place: string, readonly lines: Iterable<string> }[]} */
let handedIn = [];

/** Registers lines; more may be added until the end. */
export function handIn(/** @type {string} */ place, /** @type {Iterable<string>} */ lines) {
  handedIn.push({ place, lines });
}

/** The findings since the last search: kind of secret, place, and the line without its secrets. */
export function findWrittenSecrets() {
  const searched = handedIn;
  handedIn = [];
  return searched.flatMap(({ place, lines }) => {
    const all = [...lines];
    if (place === 'the metrics') {
      const [strange] = findStrangeLabels(all);
      if (strange !== undefined)
        return [`A label of a metric is not one of ours: ${withoutSecrets(strange)}`];
    }
    if (findSecrets(all.join('\n')).length === 0) return [];
    const found = all.filter((line) => findSecrets(line).length > 0);
    return found.slice(0, SHOWN_LINES).map((line) => {
      const kinds = findSecrets(line).join(', ');
      return `A secret (${kinds}) is in ${place}: ${withoutSecrets(line).slice(0, SHOWN_LENGTH)}`;
    });
  });
}
