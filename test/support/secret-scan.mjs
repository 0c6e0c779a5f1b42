/**
 * Searches what the servers of a test file have written for the secrets that the file has met. Every server hands in its
 * logs and metrics, and every database its audit rows; the environment of the tests asks for the search at the end. The
 * labels of metrics are searched for whatever comes from outside.
 */
import { findStrangeLabels } from './metric-labels.mjs';
import { findSecrets, withoutSecrets } from './secrets.mjs';

const SHOWN_LINES = 3;
const SHOWN_LENGTH = 500;

/** @type {{ readonly place: string, readonly lines: Iterable<string> }[]} */
let handedIn = [];

/** Hands in lines, to which more may be added until the end. */
export function handIn(/** @type {string} */ place, /** @type {Iterable<string>} */ lines) {
  handedIn.push({ place, lines });
}

/** What was found since the last search: kind of secret, place, and the line without its secrets. */
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
