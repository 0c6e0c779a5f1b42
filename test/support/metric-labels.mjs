/** What the labels of metrics may hold: words of the program, never what comes from outside. */
import { METHODS } from 'node:http';

const oneOf = (/** @type {readonly string[]} */ ...values) => new RegExp(`^(?:${values.join('|')})$`);
const failures = [
  ...['bad_url', 'refused_address', 'dns', 'connect', 'tls', 'timeout', 'reset', 'protocol', 'decoding'],
  ...['aborted', 'unprepared', 'refused', 'http_\\dxx', ''],
];
const number = /^(?:\+Inf|\d+(?:\.\d+)?)$/;
const word = /^[A-Za-z_]{1,30}$/;

/** Every label that there is. @type {Readonly<Record<string, RegExp>>} */
const LABELS = {
  error: oneOf(...failures),
  direction: oneOf('sent', 'received'),
  method: oneOf(...METHODS),
  origin: oneOf('user', 'hook', 'system', 'remote'),
  outcome: oneOf('ok', 'repeated', 'refused', 'failed', 'delivered', 'retrying', 'answered', 'accepted'),
  reason: /^[a-z][a-z\d_]*(?:\.[a-z\d_]+)*$/,
  route: /^(?:unmatched|other|\/|(?!.*[a-z\d]{26})(?:\/(?::?[A-Za-z_\d.-]+|\*[a-z]+))+)$/,
  standing: oneOf('trusted', 'unknown', 'suspect'),
  state: oneOf('in_use', 'idle', 'online', 'offline'),
  status: /^[1-5]\d\d$/,
  version: /^v?\d+\.\d+\.\d+$/,
  // Those of buckets, and of the process itself.
  ...{ le: number, major: number, minor: number, patch: number, kind: word, space: word, type: word },
};

/** The lines of metrics with a label that is not known, or has another value than it may have. */
export function findStrangeLabels(/** @type {readonly string[]} */ lines) {
  return lines.filter((line) => {
    const [, labels] = /^\w+\{(.*)\} \S+$/.exec(line) ?? [];
    if (labels === undefined) return false;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)];
    const isWhole = pairs.map(([text]) => text).join('') === labels;
    return !isWhole || pairs.some(([, name = '', value = '']) => LABELS[name]?.test(value) !== true);
  });
}
