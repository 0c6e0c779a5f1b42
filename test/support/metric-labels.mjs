/** The allowed label values of metrics: constants of the program, never outside input. */
import { METHODS } from 'node:http';

const oneOf = (/** @type {readonly string[]} */ ...values) => new RegExp(`^(?:${values.join('|')})$`);
const failures = [
  ...['bad_url', 'refused_address', 'dns', 'connect', 'tls', 'timeout', 'reset', 'protocol', 'decoding'],
  'token',
  ...['aborted', 'unprepared', 'refused', 'nacked', 'lease_expired', 'expired', 'http_\\dxx', ''],
];
const number = /^(?:\+Inf|\d+(?:\.\d+)?)$/;
const word = /^[A-Za-z_]{1,30}$/;

/** All labels. @type {Readonly<Record<string, RegExp>>} */
const LABELS = {
  error: oneOf(...failures),
  direction: oneOf('sent', 'received'),
  method: oneOf(...METHODS),
  origin: oneOf('user', 'hook', 'system', 'remote'),
  outcome: oneOf(
    ...['ok', 'repeated', 'ignored', 'refused', 'failed', 'delivered', 'retrying', 'answered', 'accepted'],
  ),
  reason: /^[a-z][a-z\d_]*(?:\.[a-z\d_]+)*$/,
  route: /^(?:unmatched|other|\/|(?!.*[a-z\d]{26})(?:\/(?::?[A-Za-z_\d.-]+|\*[a-z]+))+)$/,
  standing: oneOf('trusted', 'unknown', 'suspect'),
  state: oneOf('in_use', 'idle', 'online', 'offline', 'ok', 'failing', 'disabled'),
  status: /^[1-5]\d\d$/,
  version: /^v?\d+\.\d+\.\d+$/,
  // Those of buckets, and of the process itself.
  ...{ le: number, major: number, minor: number, patch: number, kind: word, space: word, type: word },
};

/** The lines of metrics with an unknown label, or a value that is not allowed. */
export function findStrangeLabels(/** @type {readonly string[]} */ lines) {
  return lines.filter((line) => {
    const [, labels] = /^\w+\{(.*)\} \S+$/.exec(line) ?? [];
    if (labels === undefined) return false;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)];
    const isWhole = pairs.map(([text]) => text).join('') === labels;
    return !isWhole || pairs.some(([, name = '', value = '']) => LABELS[name]?.test(value) !== true);
  });
}
