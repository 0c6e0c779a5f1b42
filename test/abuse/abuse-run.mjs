/** Lets each kind of caller try to overload a server while another user's requests are timed. */
import { once } from 'node:events';
import { ServerProcess } from '../support/server-process.mjs';
import { forkAside } from './aside.mjs';
import { attacks } from './attacks.mjs';
import { Bystander, median, p99 } from './bystander.mjs';
import { Scene } from './scene.mjs';

export const ATTACKERS = Object.keys(attacks);
const ADMIN_PASSWORD = 'correct horse battery';

/**
 * @typedef {object} Round what an attack by one kind of caller did
 * @property {string} caller
 * @property {string[]} failures of the other user's requests
 * @property {number} peakMiB
 * @property {{ name: string, answers: Record<string, number>, faults: string[] }[]} results of each way to attack
 */

/**
 * Runs `quietSeconds` without attacks, then `seconds` of attacks by each of `callers`, one after the other, on one
 * server. `env` holds its settings. If `isTimed` is false, ignore the times.
 *
 * @returns {Promise<{ quiet: object, rounds: Round[], errors: string[] }>}
 */
export async function runAbuse({
  env,
  seconds,
  quietSeconds,
  callers = ATTACKERS,
  isTimed = true,
  say = () => undefined,
}) {
  const server = await ServerProcess.start({
    ...{ ADMIN_PASSWORD, LOG_LEVEL: 'warn', ALLOWED_INTERNAL_HOSTS: '127.0.0.0/8', ...env },
  });
  let scene;
  try {
    scene = await Scene.create(server.url, ADMIN_PASSWORD, isTimed);
    const bystander = new Bystander(server.url, scene.data);
    await bystander.watch(4); // connections, caches and compiled code
    const quiet = summary('nobody', await bystander.watch(quietSeconds), server);
    say(quiet);
    const rounds = [];
    for (const caller of callers) {
      const attack = startAttack({ caller, url: server.url, scene: scene.data, seconds }, isTimed);
      const seen = await bystander.watch(seconds);
      const calls = await scene.callsOfWell(bystander.posted);
      if (calls < bystander.posted)
        seen.failures.push(`${bystander.posted - calls} messages have not reached the webhook`);
      const results = await attack;
      const round = { ...summary(caller, seen, server), results, hasEnded: server.hasEnded };
      say(round);
      rounds.push(round);
    }
    bystander.close();
    return { quiet, rounds, errors: server.errors };
  } finally {
    await scene?.close();
    await server.stop();
  }
}

async function startAttack(order, isLowPriority) {
  const child = forkAside('attacker.mjs', isLowPriority);
  child.send(order);
  const [results] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => [[{ name: 'the attacker', answers: {}, faults: ['It has ended.'] }]]),
  ]);
  return results;
}

function summary(caller, { times, logins, failures }, server) {
  const { peak } = server.hasEnded ? { peak: NaN } : server.residentMiB();
  return {
    caller,
    requests: times.length,
    p50: median(times),
    p99: p99(times),
    login: p99(logins),
    failures,
    peakMiB: peak,
  };
}
