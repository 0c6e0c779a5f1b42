import fc from 'fast-check';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { TeamTriggers } from './team-triggers.js';
import { firingWord, prepareMessage, prepareTriggers } from './trigger-matcher.js';

type Hook = Pick<OutgoingHook, 'id' | 'channelId' | 'triggerWords' | 'triggerWhen'>;
const hook = (id: string, fields: Partial<Hook> = {}): OutgoingHook =>
  ({ id, channelId: '', triggerWords: ['deploy'], triggerWhen: 0, ...fields }) as OutgoingHook;

function firing(hooks: readonly OutgoingHook[], channelId: string, message: string): string[] {
  return new TeamTriggers(hooks).firing(channelId, message).map(({ hook: { id }, word }) => `${id}:${word}`);
}

/** One hook after the other. */
function slowlyFiring(hooks: readonly OutgoingHook[], channelId: string, message: string): string[] {
  return hooks
    .filter((each) => each.channelId === '' || each.channelId === channelId)
    .map((each) => ({ each, word: firingWord(prepareMessage(message), prepareTriggers(each), each) }))
    .filter(({ word }) => word !== undefined)
    .map(({ each, word }) => `${each.id}:${word}`);
}

describe('TeamTriggers', () => {
  it('gives all hooks that fire, in their order, each with its own word', () => {
    const hooks = [
      hook('first', { triggerWords: ['now', 'deploy'] }),
      hook('elsewhere', { channelId: 'other' }),
      hook('bare', { triggerWords: [], channelId: 'here' }),
      hook('bare elsewhere', { triggerWords: [], channelId: 'other' }),
      hook('start', { triggerWords: ['dep'], triggerWhen: 1 }),
      hook('silent', { triggerWords: ['dep'] }),
      hook('symbols', { triggerWords: ['!!'] }),
      hook('here', { channelId: 'here' }),
      hook('several', { triggerWords: ['deploy now'] }),
    ];
    expect(firing(hooks, 'here', 'deploy  now!!')).toEqual([
      'first:now',
      'bare:',
      'start:dep',
      'symbols:!!',
      'here:deploy',
      'several:deploy now',
    ]);
    expect(firing(hooks, 'here', '')).toEqual(['bare:']);
    expect(firing([], 'here', 'deploy')).toEqual([]);
  });

  it('finds what shares all words with many others', () => {
    const hooks = Array.from({ length: 500 }, (_, n) =>
      hook(`${n}`, { triggerWords: [`please deploy ${n}`] }),
    );
    expect(firing(hooks, 'here', 'Would you please deploy 417?')).toEqual(['417:please deploy 417']);
    expect(firing(hooks, 'here', 'please deploy 5000')).toEqual([]);
  });

  // FC_SEED repeats a run; the seed stands in the names of the tests.
  const seed = Number(process.env['FC_SEED'] ?? Date.now() % 1_000_000);
  const pieces = 'a b ab e é \u0301 \u0489 _ 1 ! # + 👍 🚀 𝒜 部 署 \ud83d \udc4d'
    .split(' ')
    .concat(' ', ' ', '\n');
  const text = (maxLength: number) =>
    fc.array(fc.constantFrom(...pieces), { maxLength }).map((parts) => parts.join(''));
  const hooks = fc
    .array(
      fc.record({
        channelId: fc.constantFrom('', 'here', 'other'),
        triggerWords: fc.array(text(4), { maxLength: 4 }),
        triggerWhen: fc.constantFrom(0, 1),
      }),
      { maxLength: 30 },
    )
    .map((list) => list.map((fields, index) => hook(`${index}`, fields)));

  it(`finds exactly what asking each hook finds (seed ${seed})`, () => {
    let hits = 0;
    fc.assert(
      fc.property(hooks, text(20), (team, message) => {
        const expected = slowlyFiring(team, 'here', message);
        hits += expected.length;
        return firing(team, 'here', message).join('\n') === expected.join('\n');
      }),
      { numRuns: 5_000, seed },
    );
    expect(hits).toBeGreaterThan(1_000);
  });
});
