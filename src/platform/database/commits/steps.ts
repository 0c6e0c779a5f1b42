import type { EntityManager } from 'typeorm';
import { execute, type Statement } from '../statement.js';
import type { Step } from './commit-kind.js';

/** Runs the steps in order in the transaction of `manager`. Returns the number of rows that each changed. */
export async function executeSteps(manager: EntityManager, steps: readonly Step[]): Promise<number[]> {
  const affected: number[] = [];
  for (const step of steps) {
    const changed = isStatement(step) ? execute(manager, step) : step(manager).then(() => 0);
    affected.push(typeof changed === 'number' ? changed : await changed);
  }
  return affected;
}

/** The steps as statements; undefined if one of them is not a statement. */
export function statementsOf(steps: readonly Step[]): readonly Statement[] | undefined {
  return steps.every(isStatement) ? steps : undefined;
}

function isStatement(step: Step): step is Statement {
  return typeof step !== 'function';
}
