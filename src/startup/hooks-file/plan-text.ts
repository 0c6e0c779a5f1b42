import { visible } from '../../platform/common/visible.js';
import { kindOf, labelOf } from './kinds.js';
import type { Action, Change, Step } from './plan.js';
import { Reference, referencesIn } from './reference.js';
import { secretsOf } from './requests.js';

const MAX_SHOWN = 200;
const SIGNS: Readonly<Record<Action, string>> = {
  create: '+',
  change: '~',
  delete: '-',
  missing: '!',
  unmanaged: '?',
};
const REMARKS: Readonly<Partial<Record<Action, string>>> = {
  missing: 'is not on the server; a connection begins with an invite, so apply does not create it',
  unmanaged: 'is not in the file; --prune deletes it',
};
/** Steps that an apply carries out. */
export const isCarriedOut = ({ action }: Step): boolean => action !== 'missing' && action !== 'unmanaged';
/** Steps without which file and server would be the same. */
export const isDifference = ({ action }: Step): boolean => action !== 'unmanaged';

/** A plan for people. */
export function textOfPlan(steps: readonly Step[]): string {
  const blocks = steps.map((step) => {
    const remark = REMARKS[step.action];
    const changes = step.changes.map((change) => `      ${change.field}: ${textOfChange(step, change)}`);
    return [`  ${SIGNS[step.action]} ${labelOf(step)}${remark ? ` ${remark}` : ''}`, ...changes].join('\n');
  });
  const absent = steps
    .filter(isCarriedOut)
    .flatMap(secretsOf)
    .filter(({ value }) => value === undefined);
  return [
    ...blocks,
    ...(blocks.length > 0 ? [''] : []),
    ...absent.map(({ absence, line }) => `Line ${line}: ${absence}; apply needs it.`),
    `${count(steps, 'create')} to create, ${count(steps, 'change')} to change, ${count(steps, 'delete')} to delete.`,
  ].join('\n');
}

/** A plan for programs. */
export function jsonOfPlan(steps: readonly Step[]): string {
  const shown = steps.map((step) => ({
    ...{ action: step.action, kind: kindOf(step.kind).title, team: step.team, name: step.name },
    changes: step.changes.map((change) => ({
      field: change.field,
      ...(step.action === 'change' && { old: oldOf(step, change) }),
      new: newOf(step, change),
    })),
  }));
  const counts = Object.fromEntries(
    Object.keys(SIGNS).map((action) => [action, count(steps, action as Action)]),
  );
  return JSON.stringify({ ...counts, steps: shown }, undefined, 2);
}

function count(steps: readonly Step[], action: Action): number {
  return steps.filter((step) => step.action === action).length;
}

function textOfChange(step: Step, change: Change): string {
  if (change.isResent === true) return 'the secret is sent again';
  const old = step.action === 'change' ? `${written(oldOf(step, change))} → ` : '';
  return `${old}${written(newOf(step, change))}`;
}

/** The server does not show its secrets; what a plan says of them is whether they are there. */
function oldOf({ kind }: Step, { field, old }: Change): unknown {
  const { shown } = kindOf(kind).fields[field] ?? {};
  return old === undefined ? '(unknown)' : shown ? shown(old as never) : old;
}

function newOf({ kind }: Step, { field, new: value }: Change): unknown {
  const { shown } = kindOf(kind).fields[field] ?? {};
  return shown ? shown(value as never) : referencesIn(value).length > 0 ? hidden(value) : value;
}

function hidden(value: unknown): unknown {
  if (value instanceof Reference) return value.value === undefined ? '(unknown)' : '(set)';
  if (Array.isArray(value)) return value.map(hidden);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hidden(each)]));
}

function written(value: unknown): string {
  const text = visible(JSON.stringify(value));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
