/** The attacking process: runs the attacks that it is sent, and sends back the results. */
import { attacks } from './attacks.mjs';
import { Attack } from './tools.mjs';

process.on('message', async ({ caller, ...order }) => {
  const results = await Promise.all(
    Object.entries(attacks[caller]).map(async ([name, perform]) => {
      const attack = new Attack(order);
      await perform(attack);
      return { name, answers: attack.answers, faults: attack.faults };
    }),
  );
  process.send(results, () => process.exit());
});
