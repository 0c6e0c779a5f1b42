import { visible } from '../../platform/common/visible.js';
import { kindOf, labelOf } from './kinds.js';
import type { Action, Change, Step } from './plan.js';
import { mapped, Reference } from './reference.js';
import { secretsOf } from './requests.js';

const MAX_SHOWN = 200;
const SIGNS = { create: '+', change: '~', delete: '-', missing: '!', unmanaged: '?' };
const REMARKS: Readonly<Partial<Record<Action, string>>> = {
  missing: ' is not on the server; a connection begins with an invite, so apply does not create it',
  unmanaged: ' is not in the file; --prune deletes it',
};

/** Whether an apply carries a step out. */
export const isCarriedOut = ({ action }: Step): boolean => !(action in REMARKS);
/** Whether file and server differ because of a step. */
export const isDifference = ({ action }: Step): boolean => action !== 'unmanaged';

/** A plan for people. */
export function textOfPlan(steps: readonly Step[]): string {
  const lines = steps.flatMap((step) => [
    `  ${SIGNS[step.action]} ${labelOf(step)}${REMARKS[step.action] ?? ''}`,
    ...step.changes.map((change) => `      ${change.field}: ${textOfChange(step, change)}`),
  ]);
  const absent = absentSecrets(steps).map((absence) => `${absence}, and apply needs it.`);
  const { create, change, delete: deleted } = countsOf(steps);
  return [...lines, ...absent, `${create} to create, ${change} to change, ${deleted} to delete.`].join('\n');
}

/** A plan for programs. */
export function jsonOfPlan(steps: readonly Step[]): string {
  const shownSteps = steps.map(({ action, kind, team, name, changes }) => ({
    ...{ action, kind: kindOf(kind).title, team, name },
    changes: changes.map(({ field, old, new: value, isResent }) => ({
      ...{ field, old: shown(kind, field, old), new: shown(kind, field, value), isResent },
    })),
  }));
  return JSON.stringify(
    { ...countsOf(steps), absent_secrets: absentSecrets(steps), steps: shownSteps },
    undefined,
    2,
  );
}

/** The secrets that an apply sends and that are not there. */
export function absentSecrets(steps: readonly Step[]): readonly string[] {
  const absent = steps
    .filter(isCarriedOut)
    .flatMap(secretsOf)
    .filter(({ value }) => value === undefined);
  return [...new Set(absent.map(({ absence }) => absence))];
}

function countsOf(steps: readonly Step[]): Record<Action, number> {
  const counts = { create: 0, change: 0, delete: 0, missing: 0, unmanaged: 0 };
  for (const { action } of steps) counts[action]++;
  return counts;
}

function textOfChange({ action, kind }: Step, { field, old, new: value, isResent }: Change): string {
  if (isResent === true) return 'the secret is sent again';
  const [before, after] = [old, value].map((each) => written(shown(kind, field, each) ?? '(unknown)'));
  return action === 'create' ? `${after}` : `${before} → ${after}`;
}

/** Secrets are only said to be there. */
function shown(kind: Step['kind'], field: string, value: unknown): unknown {
  const { isSecret } = kindOf(kind).fields[field] ?? {};
  return mapped(value, (part) => {
    if (part instanceof Reference) return part.value === undefined ? '(missing)' : '(secret)';
    return typeof part === 'string' && isSecret?.(part) ? '(secret)' : undefined;
  });
}

function written(value: unknown): string {
  const text = visible(JSON.stringify(value));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
