import { inspect } from 'node:util';
import fc from 'fast-check';
import { pieces, textOf, tinyAlphabet, wordOf } from '../../../test/support/trigger-reference.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { type Firing, TeamTriggers } from './team-triggers.js';

type Hook = OutgoingHook;
let createAt = 0;
const hook = (id: string, fields: Partial<Hook> = {}): OutgoingHook =>
  ({
    ...{
      id,
      createAt: createAt++,
      creatorId: 'ada',
      setBy: 'ada',
      channelId: '',
      triggerWords: ['deploy'],
      triggerWhen: 0,
      events: ['message.triggered'],
    },
    ...fields,
  }) as OutgoingHook;

function firing(hooks: readonly OutgoingHook[], channelId: string, message: string): string[] {
  return new TeamTriggers(hooks).firing(channelId, message).map(({ hook: { id }, word }) => `${id}:${word}`);
}

/** The reference implementation: tries one hook after another. */
function slowlyFiring(hooks: readonly OutgoingHook[], channelId: string, message: string): string[] {
  return hooks
    .map((each) => ({ each, word: wordOf(each, channelId, message) }))
    .filter(({ word }) => word !== undefined)
    .map(({ each, word }) => `${each.id}:${word}`);
}

describe('TeamTriggers', () => {
  it('finds hooks by event, channel and author, until they are removed', () => {
    const events = ['message.created', 'message.edited', 'webhook.failing'];
    const hooks = [
      hook('here', { events, channelId: 'here', triggerWords: [] }),
      hook('bots', { events, channelId: 'here', triggerWords: [], includeBots: true }),
      hook('team', { events: ['message.edited', 'message.triggered'] }),
      hook('words', { channelId: 'here' }),
    ];
    const triggers = new TeamTriggers(hooks);
    const namesOf = (firings: readonly Firing[]): string[] => firings.map(({ hook: { id } }) => id);
    const watching = (...args: Parameters<TeamTriggers['watching']>): string[] =>
      namesOf(triggers.watching(...args));
    expect(watching('message.edited', 'here', 'person')).toEqual(['here', 'bots', 'team']);
    expect(watching('message.edited', 'here', 'bot')).toEqual(['bots']);
    expect(watching('message.edited', 'there', 'person')).toEqual(['team']);
    expect(watching('webhook.failing', '', 'person')).toEqual(['here', 'bots']);
    expect(namesOf(triggers.firing('here', 'deploy'))).toEqual(['here', 'bots', 'team', 'words']);
    expect(namesOf(triggers.firing('here', 'deploy', 'bot'))).toEqual(['bots', 'team', 'words']);
    expect(namesOf(triggers.firing('here', 'deploy', 'program'))).toEqual(['bots']);
    expect([triggers.hears('webhook.failing'), triggers.hears('member.left')]).toEqual([true, false]);
    for (const { id } of hooks) triggers.remove(id);
    expect(triggers.hears('webhook.failing')).toBe(false);
    expect(triggers.firing('here', 'deploy')).toEqual([]);
  });

  it('returns all matching hooks in order, each with its word', () => {
    const hooks = [
      hook('first', { triggerWords: ['now', 'deploy'] }),
      hook('elsewhere', { channelId: 'other' }),
      hook('bare', { triggerWords: [], channelId: 'here' }),
      hook('bare elsewhere', { triggerWords: [], channelId: 'other' }),
      hook('start', { triggerWords: ['dep'], triggerWhen: 1 }),
      hook('first word', { triggerWords: ['dep', 'deploy'], triggerWhen: 2 }),
      hook('second word', { triggerWords: ['now!!'], triggerWhen: 2 }),
      hook('silent', { triggerWords: ['dep'] }),
      hook('symbols', { triggerWords: ['!!'] }),
      hook('here', { channelId: 'here' }),
      hook('several', { triggerWords: ['deploy now'] }),
    ];
    expect(firing(hooks, 'here', 'deploy  now!!')).toEqual([
      'first:now',
      'bare:',
      'start:dep',
      'first word:deploy',
      'symbols:!!',
      'here:deploy',
      'several:deploy now',
    ]);
    expect(firing(hooks, 'here', '')).toEqual(['bare:']);
    expect(firing([], 'here', 'deploy')).toEqual([]);
  });

  it('finds those that a user created or last set', () => {
    const own = hook('own');
    const set = hook('set', { creatorId: 'bob', setBy: 'ada' });
    const others = Array.from({ length: 50 }, (_, n) => hook(`${n}`, { creatorId: 'bob', setBy: 'bob' }));
    const team = new TeamTriggers([own, set, ...others]);
    const behind = (userId: string): string[] => team.ofPerson(userId).map(({ id }) => id);
    expect([behind('ada'), behind('bob').length, behind('eve')]).toEqual([['own', 'set'], 51, []]);
    team.set({ ...set, setBy: 'eve' });
    team.remove('own');
    expect([behind('ada'), behind('eve')]).toEqual([[], ['set']]);
    team.remove('set');
    expect([behind('eve'), behind('bob').length]).toEqual([[], 50]);
  });

  it('knows the hooks of the team, oldest first, and its size', () => {
    const [first, second, third] = [
      hook('z'),
      hook('y', { creatorId: 'bob' }),
      hook('x', { triggerWords: [] }),
    ];
    const team = new TeamTriggers([third, first, second]);
    const ids = (hooks: Iterable<OutgoingHook>): string[] => [...hooks].map(({ id }) => id);
    expect(ids(team.all)).toEqual(['z', 'y', 'x']);
    team.set({ ...second, triggerWords: ['x'.repeat(1_000)] });
    expect(ids(team.all)).toEqual(['z', 'y', 'x']);
    const { sizeBytes } = team;
    for (const id of ['y', 'y', 'unknown']) team.remove(id);
    expect(ids(team.all)).toEqual(['z', 'x']);
    expect(team.sizeBytes).toBeLessThan(sizeBytes - 1_000);
    for (const id of ['x', 'z']) team.remove(id);
    expect([team.sizeBytes, team.all.length, team.firing('here', 'deploy')]).toEqual([0, 0, []]);
  });

  // Set FC_SEED to repeat a run; the seed is in the test names.
  const seed = Number(process.env['FC_SEED'] ?? Date.now() % 1_000_000);
  const team = (alphabet: readonly string[]) =>
    fc
      .array(
        fc.record({
          channelId: fc.constantFrom('', 'here', 'other'),
          triggerWords: fc.array(textOf(alphabet, 4), { maxLength: 4 }),
          triggerWhen: fc.constantFrom(0, 1, 2),
        }),
        { maxLength: 30 },
      )
      .map((list) => list.map((fields, index) => hook(`${index}`, fields)));

  it.each([
    ['all kinds of characters', fc.constant(pieces)],
    ['few characters', tinyAlphabet],
  ])(`finds the same hooks as testing each one, with %s (seed ${seed})`, (_, alphabets) => {
    let hits = 0;
    const cases = alphabets.chain((alphabet) => fc.tuple(team(alphabet), textOf(alphabet, 20)));
    fc.assert(
      fc.property(cases, ([hooks, message]) => {
        const expected = slowlyFiring(hooks, 'here', message);
        hits += expected.length;
        return firing(hooks, 'here', message).join('\n') === expected.join('\n');
      }),
      { numRuns: 10_000, seed },
    );
    expect(hits).toBeGreaterThan(500);
  });

  it(`finds the same after changes as a new index (seed ${seed})`, () => {
    const cases = tinyAlphabet.chain((alphabet) =>
      fc.tuple(team(alphabet), team(alphabet), fc.array(fc.nat(30)), textOf(alphabet, 20)),
    );
    fc.assert(
      fc.property(cases, ([before, after, removed, message]) => {
        const triggers = new TeamTriggers(before);
        for (const each of after) triggers.set(each);
        for (const index of removed) triggers.remove(String(index));
        const left = [...new Map([...before, ...after].map((each) => [each.id, each])).values()]
          .filter(({ id }) => !removed.includes(Number(id)))
          .sort((one, other) => one.createAt - other.createAt);
        const found = triggers.firing('here', message).map(({ hook: { id }, word }) => `${id}:${word}`);
        expect(found).toEqual(slowlyFiring(left, 'here', message));
        expect(triggers.all).toEqual(left);
      }),
      { numRuns: 500, seed },
    );
  });

  it('releases everything of a deleted hook', () => {
    const texts = ['deploy', 'please deploy', '!!', ' ', 'x'];
    const triggers = new TeamTriggers([]);
    const empty = inspect(triggers, { depth: 9 });
    for (const triggerWhen of [0, 1, 2])
      for (const triggerWords of [texts, []])
        triggers.set(hook(`${triggerWhen}`, { triggerWords, triggerWhen }));
    expect(inspect(triggers, { depth: 9 })).not.toBe(empty);
    for (const id of ['0', '1', '2']) triggers.remove(id);
    expect(inspect(triggers, { depth: 9 })).toBe(empty);
  });
});
