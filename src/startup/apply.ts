import { createInterface } from 'node:readline/promises';
import { CommandRefused } from '../platform/common/errors/command-refused.js';
import { runHooksFileCommand } from './hooks-file/command.js';
import { labelOf } from './hooks-file/kinds.js';
import { absentSecrets, isCarriedOut, isDifference, textOfPlan } from './hooks-file/plan-text.js';
import { carryOut } from './hooks-file/requests.js';

/** `hookline apply`: changes the server until it is what a file says. The exit code is 2 if something still differs. */
export const run = (): Promise<void> =>
  runHooksFileCommand('apply FILE --url SERVER [--prune] [--secrets] [--yes]', async (command) => {
    const { prune, yes: isConfirmed } = command.options;
    const file = await command.readFile();
    const { steps, inventory } = await command.plan(file, command.options);
    command.print(textOfPlan(steps));
    const due = steps.filter(isCarriedOut);
    if (due.length === 0) return steps.some(isDifference) ? 2 : 0;
    const absent = absentSecrets(due);
    if (absent.length > 0) throw new CommandRefused('Nothing was changed, because secrets are missing.');
    if (isConfirmed !== true) await confirm();
    for (const [index, step] of due.entries()) {
      try {
        await carryOut(step, command.api, inventory);
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        const progress = `${index} of ${due.length} changes were made. Run the command again to make the others.`;
        throw new CommandRefused(`${labelOf(step)}: ${error.message}\n${progress}`);
      }
      command.print(`${step.action}d ${labelOf(step)}`);
    }
    const { steps: rest } = await command.plan(file, { prune });
    if (!rest.some(isDifference)) return 0;
    command.print(`The server still differs:\n${textOfPlan(rest)}`);
    return 2;
  });

async function confirm(): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandRefused('Nothing was changed, because --yes is missing.');
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await prompt.question('Make these changes? Only "yes" is accepted: ');
  prompt.close();
  if (answer.trim() !== 'yes') throw new CommandRefused('Nothing was changed.');
}
