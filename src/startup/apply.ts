import { createInterface } from 'node:readline/promises';
import { CommandRefused } from '../platform/common/errors/command-refused.js';
import { say } from './command.js';
import { type HooksFileCommand, runHooksFileCommand } from './hooks-file/command.js';
import type { Inventory } from './hooks-file/inventory.js';
import { labelOf } from './hooks-file/kinds.js';
import type { Step } from './hooks-file/plan.js';
import { isCarriedOut, isDifference, textOfPlan } from './hooks-file/plan-text.js';
import { carryOut, secretsOf } from './hooks-file/requests.js';

const DONE: Readonly<Partial<Record<Step['action'], string>>> = {
  create: 'created',
  change: 'changed',
  delete: 'deleted',
};

/** `hookline apply`: changes the server until it is what a file says. The exit code is 2 if something still differs. */
export const run = (): void =>
  runHooksFileCommand(
    'apply FILE --url SERVER [--prune] [--secrets] [--yes]. HOOKLINE_TOKEN has the token.',
    async (command) => {
      const file = await command.readFile();
      const { steps, inventory } = await command.plan(file);
      say(command.redacted(textOfPlan(steps)));
      const due = steps.filter(isCarriedOut);
      if (due.length > 0) {
        requireSecrets(due);
        if (!command.yes) await confirm();
        await carryOutAll(due, command, inventory);
      }
      const { steps: rest } = await command.plan(file, { prune: command.prune, secrets: false });
      const differing = rest.filter(isDifference);
      if (due.length > 0 && differing.length > 0)
        say(`The server still differs:\n${command.redacted(textOfPlan(rest))}`);
      return differing.length > 0 ? 2 : 0;
    },
  );

/** Nothing is changed unless all secrets that are sent are there. Throws CommandRefused. */
function requireSecrets(steps: readonly Step[]): void {
  const absent = steps.flatMap(secretsOf).filter(({ value }) => value === undefined);
  if (absent.length > 0)
    throw new CommandRefused(
      ['Nothing was changed:', ...absent.map(({ line, absence }) => `line ${line}: ${absence}.`)].join('\n'),
    );
}

async function confirm(): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandRefused('Nothing was changed: --yes is missing.');
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await prompt.question('Make these changes? Only "yes" is accepted: ');
  prompt.close();
  if (answer.trim() !== 'yes') throw new CommandRefused('Nothing was changed.');
}

async function carryOutAll(
  steps: readonly Step[],
  { api }: HooksFileCommand,
  inventory: Inventory,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    try {
      await carryOut(step, api, inventory);
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      throw new CommandRefused(
        `${labelOf(step)}: ${error.message}\n${index} of ${steps.length} changes were made. Run the command again to make the others.`,
      );
    }
    say(`${DONE[step.action]} ${labelOf(step)}`);
  }
}
