import { unitOfWorkWithoutDatabase } from '../../../test/support/unit-of-work.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import type { OutgoingHooksRepository } from '../outgoing-hooks.repository.js';
import { TeamTriggersCache } from './team-triggers-cache.js';

const TEAM = 'b1f8zcm5wtd5jfzn8u5fxpbkje';
const OTHER_TEAM = 'm4agnt8dxtywdgcmo9nwx5kk8w';

/** A fake table: queries take a snapshot when they start, and resolve when the test releases them. */
class Hooks {
  readonly rows = new Map<string, OutgoingHook>();
  readonly asked: string[] = [];
  private readonly waiting: (() => void)[] = [];
  isHeld = false;
  isAway = false;

  put(id: string, word: string): void {
    const fields = {
      id,
      teamId: TEAM,
      channelId: '',
      creatorId: 'ada',
      triggerWords: [word],
      triggerWhen: 0,
      events: ['message.triggered'],
      botUserId: '',
      callbackUrls: [`https://${word}.example/`],
      disabledUrls: [],
      failingUrls: {},
    };
    this.rows.set(id, { ...fields, createAt: Number(id) } as unknown as OutgoingHook);
  }

  list(_team: string | undefined, after: OutgoingHook | undefined, limit: number): Promise<OutgoingHook[]> {
    const rows = [...this.rows.values()].filter(({ createAt }) => createAt > (after?.createAt ?? -1));
    return this.answer('all', rows.slice(0, limit));
  }

  listByIds(ids: readonly string[]): Promise<OutgoingHook[]> {
    return this.answer(
      ids.join(),
      ids.flatMap((id) => this.rows.get(id) ?? []),
    );
  }

  /** Resolves the queries in progress. */
  async release(): Promise<void> {
    for (const answer of this.waiting.splice(0)) answer();
    await new Promise(setImmediate);
  }

  private answer(what: string, rows: OutgoingHook[]): Promise<OutgoingHook[]> {
    this.asked.push(what);
    if (this.isAway) return Promise.reject(new Error('away'));
    return this.isHeld
      ? new Promise((resolve) => this.waiting.push(() => resolve(rows)))
      : Promise.resolve(rows);
  }
}

describe('TeamTriggersCache', () => {
  const unitOfWork = unitOfWorkWithoutDatabase();
  let hooks: Hooks;
  let cache: TeamTriggersCache;

  beforeEach(() => {
    hooks = new Hooks();
    cache = new TeamTriggersCache(hooks as unknown as OutgoingHooksRepository, unitOfWork);
    for (let id = 0; id < 1_200; id++) hooks.put(String(id), `word${id}`);
  });

  /** Like a commit. */
  const change = (id: string, word: string | undefined): void => {
    if (word === undefined) hooks.rows.delete(id);
    else hooks.put(id, word);
    cache.changed({ id, teamId: TEAM });
  };
  const firing = async (word: string): Promise<string[]> =>
    (await cache.get(TEAM)).firing('c', word).map(({ hook }) => hook.id);

  it('reads a team once, then only changes', async () => {
    expect(cache.peek(TEAM)).toBeUndefined();
    expect(await firing('word1199')).toEqual(['1199']);
    expect(hooks.asked).toEqual(['all', 'all', 'all']);
    hooks.asked.length = 0;
    expect(await firing('word7')).toEqual(['7']);
    expect(hooks.asked).toEqual([]);
    change('7', 'other');
    change('8', undefined);
    change('2000', 'other');
    expect(cache.peek(TEAM)).toBeUndefined();
    expect([await firing('other'), await firing('word7'), await firing('word8')]).toEqual([
      ['7', '2000'],
      [],
      [],
    ]);
    expect(hooks.asked).toEqual(['7,8,2000']);
    expect(cache.peek(TEAM)?.all.length).toBe(1_200);
  });

  it.each([
    ['changed', 'new', ['3']],
    ['deleted', undefined, []],
    ['made', 'new', ['3']],
  ])('does not lose a hook that is %s while its team is being read', async (what, word, found) => {
    if (what === 'made') hooks.rows.delete('3');
    hooks.isHeld = true;
    const early = cache.get(TEAM);
    change('3', word);
    hooks.isHeld = false;
    await hooks.release();
    await early;
    expect(await firing('new')).toEqual(found);
    expect(await firing('word3')).toEqual([]);
  });

  it('does not lose a change that arrives while another one is read', async () => {
    await cache.get(TEAM);
    hooks.isHeld = true;
    change('3', 'first');
    const early = cache.get(TEAM);
    change('3', 'second');
    const late = firing('second');
    await hooks.release();
    expect((await early).firing('c', 'first')).toHaveLength(1); // the state at the time of the call
    hooks.isHeld = false;
    await hooks.release();
    expect(await late).toEqual(['3']);
    expect(await firing('first')).toEqual([]);
    expect(hooks.asked.slice(3)).toEqual(['3', '3']);
  });

  it('shares a read among simultaneous callers', async () => {
    await Promise.all([cache.get(TEAM), cache.get(TEAM)]);
    expect(hooks.asked).toHaveLength(3);
    change('1', 'x');
    hooks.isHeld = true;
    const found = Promise.all([firing('x'), firing('x')]);
    await new Promise(setImmediate);
    expect(cache.peek(TEAM)).toBeUndefined();
    hooks.isHeld = false;
    await hooks.release();
    expect(await found).toEqual([['1'], ['1']]);
    expect(hooks.asked.slice(3)).toEqual(['1']);
  });

  it('retries a failed read', async () => {
    await cache.get(TEAM);
    change('1', 'x');
    hooks.isAway = true;
    await expect(cache.get(TEAM)).rejects.toThrow('away');
    hooks.isAway = false;
    expect(await firing('x')).toEqual(['1']);
  });

  it('shows a unit of work its own changes, and others only committed ones', async () => {
    await cache.get(TEAM);
    await unitOfWork.run(async () => {
      change('1', 'x');
      expect(await firing('x')).toEqual(['1']);
      expect(cache.peek(TEAM)?.firing('c', 'x')).toEqual([]);
    });
    expect(cache.peek(TEAM)).toBeUndefined();
    const failing = unitOfWork.run(async () => {
      cache.changed({ id: '2', teamId: TEAM });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    hooks.asked.length = 0;
    expect(await firing('x')).toEqual(['1']);
    expect(hooks.asked).toEqual(['1']);
  });

  it('keeps only as many teams as fit', async () => {
    const description = 'x'.repeat(40 * 1024 * 1024);
    for (const hook of hooks.rows.values()) if (hook.id === '0') Object.assign(hook, { description });
    await cache.get(TEAM);
    expect(cache.peek(TEAM)).toBeDefined();
    await cache.get(OTHER_TEAM);
    expect([cache.peek(TEAM), cache.peek(OTHER_TEAM)]).toEqual([undefined, expect.anything()]);
  });

  describe('endpoints', () => {
    const countOf = async (word: string): Promise<number> =>
      (await cache.endpoints()).summary(`https://${word}.example`).hookCount;

    it('reads all hooks once, then only changes', async () => {
      expect((await cache.endpoints()).all()).toHaveLength(1_200);
      expect(hooks.asked).toEqual(['all', 'all', 'all']);
      expect(await countOf('word7')).toBe(1);
      change('7', 'word8');
      change('9', undefined);
      change('2000', 'word8');
      expect([await countOf('word7'), await countOf('word8'), await countOf('word9')]).toEqual([0, 3, 0]);
      expect(hooks.asked.slice(3)).toEqual(['7,9,2000']);
    });

    it('reads all hooks again after a great many changes', async () => {
      await cache.endpoints();
      for (let id = 0; id <= 5_000; id++) change(String(id), undefined);
      expect((await cache.endpoints()).all()).toEqual([]);
      expect(hooks.asked.slice(3)).toEqual(['all']);
    });
  });
});
