import { runHooksFileCommand } from './hooks-file/command.js';
import { isDifference, jsonOfPlan, textOfPlan } from './hooks-file/plan-text.js';

/** `hookline plan`: shows how the server differs from a file. The exit code is 2 if it does. */
export const run = (): Promise<void> =>
  runHooksFileCommand('plan FILE --url SERVER [--prune] [--secrets] [--json]', async (command) => {
    const { steps } = await command.plan(await command.readFile(), command.options);
    command.print(command.options.json === true ? jsonOfPlan(steps) : textOfPlan(steps));
    return steps.some(isDifference) ? 2 : 0;
  });
