import { Bulkheads, type Start } from './bulkheads.js';
import type { CallResult, Standing } from './call-limits.js';
import type { Delivery } from './delivery.entity.js';
import { DispatchLimits } from './dispatch.settings.js';
import { newJob } from './lane.js';
import { ALWAYS } from './turns/lane-turns.js';

let time = 0;
const bulkheads = (total: number, perLane: number): Bulkheads =>
  new Bulkheads(total, perLane, ALWAYS, () => time);

function fill(all: Bulkheads, name: string, count: number, isRetry = false, flow = ''): void {
  const lane = all.lane(name);
  for (let index = 0; index < count; index++) {
    const delivery = { id: `${name}-${isRetry ? 'retry' : 'fresh'}-${index}`, lane: name, flow, body: {} };
    lane.push(isRetry ? 'retrying' : 'pending', newJob(delivery as unknown as Delivery));
  }
  all.refresh(lane);
}

/** Sets the state of a lane and its only flow without making calls. */
function stand(all: Bulkheads, name: string, standing: Standing, limit = 2): void {
  const lane = all.lane(name);
  const flow = lane.flows.get('');
  lane.flows.setStanding(flow, standing);
  lane.calls.limit = flow.calls.limit = limit;
  all.refresh(lane);
}

function startAll(all: Bulkheads): Start[] {
  const starts: Start[] = [];
  for (let start = all.start(); start; start = all.start()) starts.push(start);
  return starts;
}

const lanesOf = (starts: readonly Start[]): string[] => starts.map(({ lane }) => lane.name);

/** Makes a lane trusted through successful calls. */
function trust(all: Bulkheads, name: string, times = 20): void {
  for (let index = 0; index < times; index++) {
    fill(all, name, 1);
    const start = all.start();
    if (!start) throw new Error('No start.');
    all.finish(start, 'succeeded');
  }
}

const trustWithoutCalls = (all: Bulkheads, name: string): void => stand(all, name, 'trusted', 8);

describe('Bulkheads', () => {
  beforeEach(() => (time = 0));

  it('gives an unknown endpoint two calls, and one more with each success, up to its limit', () => {
    const all = bulkheads(100, 3);
    fill(all, 'a', 50);
    const first = startAll(all);
    expect(first).toHaveLength(2);
    all.finish(first[0]!, 'succeeded');
    expect(startAll(all)).toHaveLength(2);
    all.finish(first[1]!, 'succeeded');
    expect(startAll(all)).toHaveLength(1);
    expect(all.find('a')?.calls).toMatchObject({ running: 3, limit: 3, standing: 'trusted' });
  });

  it('halves the limit with each failure, down to one', () => {
    const all = bulkheads(100, 8);
    trust(all, 'a');
    fill(all, 'a', 50);
    const starts = startAll(all);
    expect(starts).toHaveLength(6); // the last two places are reserved for others
    for (const start of starts) all.finish(start, 'failed');
    expect(all.find('a')?.calls).toMatchObject({ running: 0, limit: 1, standing: 'suspect' });
    expect(startAll(all)).toHaveLength(1);
  });

  it('exceeds the small share of an endpoint only while half of the slots are free', () => {
    const all = bulkheads(64, 34);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) trust(all, name, 60);
    fill(all, 'a', 1_000);
    expect(startAll(all)).toHaveLength(32);
    for (const name of ['b', 'c', 'd', 'e', 'f', 'g', 'h']) fill(all, name, 1_000);
    const started = lanesOf(startAll(all));
    expect(started).toHaveLength(32);
    for (const name of ['b', 'c', 'd', 'e', 'f', 'g', 'h'])
      expect(started.filter((lane) => lane === name).length).toBeLessThanOrEqual(8);
    expect(started).not.toContain('a');
  });

  it.each([
    [16, 8],
    [64, 32],
    [40, 20],
  ])('gives a lone endpoint half of %i slots, and at least eight', (total, half) => {
    const all = bulkheads(total, 64);
    trust(all, 'a', 70);
    fill(all, 'a', 100);
    expect(startAll(all)).toHaveLength(half);
    const many = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    for (const name of many) {
      trustWithoutCalls(all, name);
      fill(all, name, 100);
    }
    expect(lanesOf(startAll(all))).toHaveLength(total - half);
  });

  it('treats an endpoint with many hanging calls as suspect', () => {
    const all = bulkheads(48, 64);
    trust(all, 'a', 70);
    trust(all, 'b', 70);
    fill(all, 'a', 10);
    expect(startAll(all)).toHaveLength(10);
    time = 3_000;
    all.review();
    fill(all, 'b', 100);
    expect(startAll(all)).toHaveLength(14); // half of the slots are in use
    fill(all, 'a', 100);
    expect(lanesOf(startAll(all))).toEqual(Array.from({ length: 14 }, () => 'a'));
  });

  it('limits unknown and suspect endpoints to three quarters of the slots', () => {
    const all = bulkheads(20, 8);
    for (let index = 0; index < 20; index++) stand(all, `bad${index}`, 'suspect');
    for (let index = 0; index < 20; index++) fill(all, `bad${index}`, 10);
    expect(startAll(all)).toHaveLength(10);
    for (let index = 0; index < 20; index++) fill(all, `new${index}`, 10);
    expect(startAll(all)).toHaveLength(5);
    trustWithoutCalls(all, 'good');
    fill(all, 'good', 10);
    expect(lanesOf(startAll(all))).toEqual(Array.from({ length: 5 }, () => 'good'));
  });

  it.each(['trusted', 'unknown', 'suspect'] as const)(
    'starts a lone endpoint that is %s at once',
    (standing) => {
      const all = bulkheads(20, 8);
      stand(all, 'a', standing);
      fill(all, 'a', 1);
      expect(all.start()?.lane.name).toBe('a');
      expect(all.start()).toBeUndefined();
    },
  );

  it('keeps the turn of an endpoint that gets more work', () => {
    const all = bulkheads(20, 8);
    fill(all, 'a', 1);
    fill(all, 'b', 1);
    fill(all, 'a', 1);
    expect(lanesOf(startAll(all))).toEqual(['a', 'b', 'a']);
  });

  it('alternates between endpoints, however much work one of them has', () => {
    const all = bulkheads(100, 8);
    for (const name of ['a', 'b', 'c']) trust(all, name);
    fill(all, 'a', 1_000);
    fill(all, 'b', 3);
    fill(all, 'c', 3);
    expect(lanesOf(startAll(all)).slice(0, 9)).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('limits failing endpoints to half of the slots, and unknown ones to three quarters', () => {
    const all = bulkheads(20, 8);
    for (let index = 0; index < 50; index++) fill(all, `hung${index}`, 100);
    const hung = startAll(all);
    expect(hung).toHaveLength(15);
    time = 3_000;
    all.review(); // they hang, so they become suspect
    for (const start of hung) all.finish(start, 'failed');
    for (let index = 0; index < 50; index++) stand(all, `hung${index}`, 'suspect');
    expect(startAll(all)).toHaveLength(10);
    fill(all, 'new', 100);
    expect(lanesOf(startAll(all))).toEqual(['new', 'new']);
    for (const name of ['good', 'better']) trustWithoutCalls(all, name);
    for (const name of ['good', 'better']) fill(all, name, 100);
    expect(lanesOf(startAll(all))).toEqual(Array.from({ length: 4 }, () => ['good', 'better']).flat());
    expect(all.runningCount).toBe(20);
    expect(all.start()).toBeUndefined();
  });

  it('distrusts an endpoint whose call hangs until the next success', () => {
    const all = bulkheads(10, 8);
    trust(all, 'a');
    fill(all, 'a', 2);
    const [hung, other] = startAll(all);
    time = 3_000;
    all.review();
    expect(all.find('a')?.calls.standing).toBe('suspect');
    all.finish(hung!, 'failed');
    all.finish(other!, 'failed');
    fill(all, 'a', 1);
    all.finish(all.start()!, 'succeeded');
    expect(all.find('a')?.calls.standing).toBe('trusted');
  });

  it.each([
    [2_000, 'trusted'],
    [2_001, 'suspect'],
  ])('rates an endpoint that answers after %i ms as %s', (duration, standing) => {
    const all = bulkheads(10, 8);
    time = 10_000;
    fill(all, 'a', 1);
    const start = all.start()!;
    time += duration;
    all.finish(start, 'succeeded');
    expect(all.find('a')?.calls).toMatchObject({ standing, limit: 3 });
  });

  it.each([
    [2_000, 'trusted'],
    [2_001, 'suspect'],
  ])('rates an endpoint with a call running for %i ms as %s', (duration, standing) => {
    const all = bulkheads(10, 8);
    trust(all, 'a');
    trust(all, 'idle');
    time = 10_000;
    fill(all, 'a', 1);
    all.start();
    time += duration;
    all.review();
    expect(all.find('a')?.calls.standing).toBe(standing);
    expect(all.find('idle')?.calls.standing).toBe('trusted');
  });

  it('ignores calls that were not made', () => {
    const all = bulkheads(10, 8);
    fill(all, 'a', 1);
    all.finish(all.start()!, undefined);
    expect(all.find('a')?.calls).toMatchObject({ standing: 'unknown', limit: 2, running: 0 });
    expect(all.runningCount).toBe(0);
  });

  it('prefers first attempts to retries without starving retries', () => {
    const all = bulkheads(100, 1);
    fill(all, 'a', 1_000, true);
    fill(all, 'a', 10);
    const order: string[] = [];
    for (let index = 0; index < 12; index++) {
      const start = all.start()!;
      order.push(start.job.delivery.id.split('-')[1]!);
      all.finish(start, 'succeeded');
    }
    expect(order.filter((kind) => kind === 'fresh')).toHaveLength(10);
    expect(order[4]).toBe('retry');
  });

  describe('with several webhooks on one endpoint', () => {
    const flowsOf = (starts: readonly Start[]): string[] => starts.map(({ flow }) => flow.name);
    const fillFlows = (all: Bulkheads, count: number, ...flows: string[]): void => {
      for (const flow of flows) fill(all, 'a', count, false, flow);
    };
    const tick = (all: Bulkheads, ms: number): void => {
      time += ms;
      all.resume(all.lane('a'));
      all.review();
    };

    it('alternates between the webhooks', () => {
      const all = bulkheads(100, 32);
      all.lane('a').calls.limit = 6;
      fillFlows(all, 50, 'x');
      fillFlows(all, 2, 'y', 'z');
      expect(flowsOf(startAll(all))).toEqual(['x', 'y', 'z', 'x', 'y', 'z']);
    });

    it('throttles a failing webhook, but not the endpoint while another webhook succeeds', () => {
      const all = bulkheads(100, 32);
      fillFlows(all, 20, 'bad', 'good');
      const [bad, good] = startAll(all);
      all.finish(good!, 'succeeded');
      all.finish(bad!, 'failed');
      const { calls, flows } = all.lane('a');
      expect(calls).toMatchObject({ limit: 3, standing: 'trusted' });
      expect(flows.get('bad').calls).toMatchObject({ limit: 1, standing: 'suspect' });
      expect(flows.get('good').calls).toMatchObject({ limit: 3, standing: 'trusted' });
      fillFlows(all, 20, 'bad');
      expect(flowsOf(startAll(all)).filter((flow) => flow === 'bad')).toHaveLength(1);
    });

    it('throttles the endpoint when all webhooks fail', () => {
      const all = bulkheads(100, 32);
      all.lane('a').calls.limit = 8;
      fillFlows(all, 1, 'x', 'y', 'z');
      for (const start of startAll(all)) all.finish(start, 'failed');
      expect(all.lane('a').calls).toMatchObject({ limit: 1, standing: 'suspect' });
    });

    it('gives each webhook a first call while others hang, and two to those without failures', () => {
      const all = bulkheads(100, 32);
      fillFlows(all, 10, 'x1', 'x2', 'x3', 'x4', 'new');
      expect(flowsOf(startAll(all))).toEqual(['x1', 'x2']);
      tick(all, 251);
      expect(flowsOf(startAll(all))).toEqual(['x3', 'x4']);
      tick(all, 251);
      const [start] = startAll(all);
      expect(start?.flow.name).toBe('new');
      tick(all, 2_000);
      all.lane('a').calls.limit = 1;
      all.finish(start!, 'succeeded');
      all.lane('a').calls.limit = 1;
      expect(flowsOf(startAll(all))).toEqual(['new', 'new']);
    });

    it.each([
      [32, 30],
      [8, 6],
      [4, 3],
      [3, 3],
      [1, 1],
    ])(
      'of %i slots gives %i to a lone webhook, and the others to webhooks without calls',
      (perLane, alone) => {
        const all = bulkheads(1_000, perLane);
        const { calls, flows } = all.lane('a');
        const busy = flows.get('busy');
        calls.limit = busy.calls.limit = perLane;
        flows.setStanding(busy, 'trusted');
        fillFlows(all, 100, 'busy');
        expect(startAll(all)).toHaveLength(alone);
        for (const other of ['x', 'y']) flows.setStanding(flows.get(other), 'trusted');
        fillFlows(all, 100, 'x', 'y');
        expect(startAll(all).length).toBe(perLane - alone);
        expect(calls.running).toBe(perLane);
      },
    );
  });

  it('gives an ordered lane one call at a time', () => {
    const all = bulkheads(100, 8);
    fill(all, 'order:peer', 10);
    const starts = startAll(all);
    expect(starts).toHaveLength(1);
    all.finish(starts[0]!, 'succeeded');
    expect(startAll(all)).toHaveLength(1);
  });

  describe('with an unreachable endpoint', () => {
    const limits = {
      failuresInARow: 2,
      firstPauseMs: 100,
      maxPauseMs: 100,
      callsAtATime: 1,
      shortPauseMs: 100,
    };
    const unreached = (name: string): Bulkheads => {
      const all = new Bulkheads(10, 8, ALWAYS, () => time, { ...new DispatchLimits(), circuit: limits });
      for (let index = 0; index < 3; index++) fill(all, name, 1);
      for (let index = 0; index < 2; index++) all.finish(all.start()!, 'unreachable');
      return all;
    };

    it('pauses the lane', () => {
      const all = unreached('a');
      time = 99;
      all.resume(all.lane('a'));
      expect(all.start()).toBeUndefined();
      time = 100;
      all.resume(all.lane('a'));
      expect(all.start()?.lane.name).toBe('a');
    });

    it('ends the pause early on request', () => {
      const all = unreached('a');
      all.resume(all.lane('a'), true);
      expect(all.start()?.lane.name).toBe('a');
    });

    it('leaves the pauses of ordered lanes to the lanes', () => {
      expect(unreached('order:peer').start()?.lane.name).toBe('order:peer');
    });
  });

  describe('reports limit changes', () => {
    const circuit = {
      ...{ failuresInARow: 3, firstPauseMs: 100, maxPauseMs: 100, callsAtATime: 1, shortPauseMs: 100 },
    };
    let told: unknown[];
    let all: Bulkheads;
    const call = (result: CallResult, tookMs = 0): void => {
      fill(all, 'a', 1);
      const start = all.start()!;
      time += tookMs;
      all.finish(start, result);
    };
    beforeEach(() => {
      time = 0;
      told = [];
      const limits = { ...new DispatchLimits(), circuit };
      all = new Bulkheads(
        10,
        4,
        ALWAYS,
        () => time,
        limits,
        ({ calls }, why, from, pausedMs) => {
          told.push([why, from, calls.limit, calls.standing, pausedMs]);
        },
      );
    });

    it('after successes and failures, but not while the limit stays the same', () => {
      for (let times = 0; times < 5; times++) call('succeeded');
      expect(told).toEqual([
        ['answered', 2, 3, 'trusted', 0],
        ['answered', 3, 4, 'trusted', 0],
      ]);
      call('failed');
      expect(told.slice(2)).toEqual([['failed', 4, 2, 'suspect', 0]]);
    });

    it('once for slow calls', () => {
      for (let times = 0; times < 3; times++) call('succeeded');
      told = [];
      call('succeeded', 2_001);
      call('succeeded', 2_001);
      expect(told).toEqual([['slow', 4, 4, 'suspect', 0]]);
    });

    it('once for hanging calls', () => {
      fill(all, 'a', 1);
      all.start();
      time = 2_001;
      all.review();
      all.review();
      expect(told).toEqual([['slow', 2, 2, 'suspect', 0]]);
    });

    it('when the endpoint is paused, and when it is called again', () => {
      for (let times = 0; times < 3; times++) call('unreachable');
      time = 100;
      all.resume(all.lane('a'));
      all.resume(all.lane('a'));
      expect(told).toEqual([
        ['unreachable', 2, 1, 'suspect', 0],
        ['spared', 1, 1, 'suspect', 100],
        ['resumed', 1, 1, 'suspect', 0],
      ]);
    });

    it('when the limit is reset', () => {
      call('failed');
      all.lane('unused');
      told = [];
      time = 600_001;
      all.review();
      expect(told).toEqual([['forgotten', 1, 1, 'suspect', 0]]);
      expect(all.find('a')).toBeUndefined();
    });
  });

  it('forgets a lane ten minutes after its last use', () => {
    const all = bulkheads(10, 8);
    time = 5_000_000;
    trust(all, 'a', 1);
    time += 600_000;
    all.review();
    expect([...all.all()].map(({ name }) => name)).toEqual(['a']);
    time += 1;
    all.review();
    expect([...all.all()]).toEqual([]);
  });

  it('uses the process time', () => {
    const all = new Bulkheads(10, 8, ALWAYS);
    trust(all, 'a', 1);
    expect(all.find('a')?.calls.lastUsedAt).toBeGreaterThan(0);
  });

  it('keeps lanes that were just loaded or have a turn', () => {
    time = 5_000_000;
    const all = new Bulkheads(10, 8, undefined, () => time);
    all.lane('new');
    const held = all.lane('held');
    expect(held.turn).toBeUndefined();
    held.turn = { epoch: 1, isValid: true };
    all.review();
    expect(all.find('new')).toBeDefined();
    time += 600_001;
    all.review();
    expect([...all.all()]).toEqual([held]);
    held.turn = undefined;
    all.review();
    expect([...all.all()]).toEqual([]);
  });

  it('with very many lanes, unloads those that are due much later', () => {
    time = 5_000_000;
    const limits = Object.assign(new DispatchLimits(), { maxRestingLanes: 3 });
    const all = new Bulkheads(10, 8, ALWAYS, () => time, limits);
    for (const [name, dueAt] of Object.entries({ soon: 100, later: 200, 'order:1': 200 }))
      all.lane(name).found('retrying', dueAt);
    time += 600_001;
    all.review(150);
    expect([...all.all()]).toHaveLength(3);
    all.lane('new').found('pending', 200);
    all.review(150);
    expect([...all.all()].map(({ name }) => name)).toEqual(['soon', 'order:1', 'new']);
  });

  it('unloads only lanes that have been idle for a long time', () => {
    const all = bulkheads(10, 8);
    trust(all, 'idle');
    trust(all, 'waiting');
    all.lane('waiting').retries.expect(Date.now() + 60_000);
    time = 11 * 60_000;
    all.review();
    expect(all.find('idle')).toBeUndefined();
    expect(all.find('waiting')).toBeDefined();
  });
});
