/** The attacking process: runs the attacks that it is sent, and sends back the results. */
import { newcomerAttacks } from './newcomer.mjs';
import { holderAttacks } from './holder.mjs';
import { memberAttacks } from './member.mjs';
import { strangerAttacks } from './stranger.mjs';
import { Attack } from './tools.mjs';

const attacks = {
  stranger: strangerAttacks,
  'holder of a webhook URL': holderAttacks,
  newcomer: newcomerAttacks,
  member: memberAttacks,
};

process.on('message', async ({ caller, ...order }) => {
  const results = await Promise.all(
    Object.entries(attacks[caller])

      .map(async ([name, perform]) => {
        const attack = new Attack(order);
        await perform(attack);
        return { name, answers: attack.answers, faults: attack.faults };
      }),
  );
  process.send(results, () => process.exit());
});
