import { type QueryOutcome, ZoneLimits } from './zone-limits.js';

describe('ZoneLimits', () => {
  let now: number;
  let limits: ZoneLimits;
  let running: Map<string, (outcome: QueryOutcome) => void>;

  beforeEach(() => {
    now = 1_000;
    limits = new ZoneLimits(() => now);
    running = new Map();
  });

  const ask = async (
    name: string,
    signal = new AbortController().signal,
  ): Promise<QueryOutcome | 'spared'> => {
    const query = (): Promise<{ outcome: QueryOutcome }> =>
      new Promise((resolve) => running.set(name, (outcome) => resolve({ outcome })));
    return (await limits.run(name, query, signal))?.outcome ?? 'spared';
  };
  const settled = (): Promise<void> => new Promise(setImmediate);
  /** Starts a query that is answered after some time. */
  const exchange = async (name: string, outcome: QueryOutcome, tookMs = 0): Promise<string> => {
    const result = ask(name);
    await settled();
    now += tookMs;
    running.get(name)?.(outcome);
    running.delete(name);
    return result;
  };
  const names = (count: number, zone: string): string[] =>
    Array.from({ length: count }, (_, index) => `n${index}.${zone}`);

  it('runs a few queries of a domain at a time, in parallel with other domains', async () => {
    void Promise.all(names(20, 'slow.example').map((name) => ask(name)));
    void Promise.all(names(20, 'slow.co.uk').map((name) => ask(name)));
    await settled();
    expect(running.size).toBe(8);
    for (const name of ['n1.other.example', 'n1.other.co.uk', 'box'])
      expect(await exchange(name, 'found')).toBe('found');
  });

  it('reserves slots for names that were found before, however many new ones hang', async () => {
    await exchange('good.example', 'found');
    void Promise.all(Array.from({ length: 200 }, (_, index) => ask(`a.slow${index}.example`)));
    await settled();
    expect(running.size).toBe(64);
    expect(await exchange('good.example', 'found')).toBe('found');
  });

  it('pauses a domain that does not answer, but soon retries', async () => {
    await exchange('good.slow.example', 'found');
    await exchange('n1.slow.example', 'failed', 4_500);
    expect(await ask('n2.slow.example')).toBe('spared');
    expect(await exchange('n2.other.example', 'none')).toBe('none');
    expect(await exchange('good.slow.example', 'failed')).toBe('failed'); // queried anyway
    now += 5_000;
    const probe = ask('n2.slow.example');
    await settled();
    expect(await ask('n3.slow.example')).toBe('spared');
    running.get('n2.slow.example')?.('none');
    expect(await probe).toBe('none');
    expect(await exchange('n3.slow.example', 'none')).toBe('none');
  });

  it('drops queries that have waited too long', async () => {
    const waiting = new AbortController();
    const first = names(4, 'slow.example').map((name) => ask(name));
    const late = ask('late.slow.example', waiting.signal);
    await settled();
    waiting.abort(new Error('too late'));
    await expect(late).rejects.toThrow('too late');
    for (const answer of running.values()) answer('none');
    await Promise.all(first);
    await settled();
    expect(running.has('late.slow.example')).toBe(false);
  });
});
