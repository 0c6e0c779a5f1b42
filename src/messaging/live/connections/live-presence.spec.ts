import type { StatusesService } from '../../users/statuses/statuses.service.js';
import { FakeBus } from '../../../../test/fakes/bus.js';
import { LivePresence } from './live-presence.js';

/** A process with its clients and the presence changes it reports. */
class Side {
  readonly reports: string[] = [];
  private readonly sockets = new Map<string, number>();
  private readonly presence: LivePresence;

  constructor(readonly bus: FakeBus) {
    const observePresence = (userId: string, isPresent: boolean): number =>
      this.reports.push(`${userId} ${isPresent ? 'came' : 'went'}`);
    this.presence = new LivePresence({ observePresence } as unknown as StatusesService, bus);
  }

  async change(userId: string, by: number): Promise<void> {
    this.sockets.set(userId, (this.sockets.get(userId) ?? 0) + by);
    this.presence.note(userId, () => (this.sockets.get(userId) ?? 0) > 0);
    await new Promise(setImmediate);
  }
}

describe('LivePresence', () => {
  let a: Side;
  let b: Side;
  beforeEach(() => {
    const [busA, busB] = FakeBus.connect('a', 'b') as [FakeBus, FakeBus];
    [a, b] = [new Side(busA), new Side(busB)];
  });

  it('reports a user everywhere while any process has a client', async () => {
    await a.change('anna', 1);
    await b.change('anna', 1);
    await a.change('anna', -1);
    expect([a.reports, b.reports]).toEqual([['anna came'], ['anna came']]);
    await b.change('anna', -1);
    expect([a.reports, b.reports]).toEqual([
      ['anna came', 'anna went'],
      ['anna came', 'anna went'],
    ]);
  });

  it('reports nothing if a client only replaces its connection', async () => {
    await a.change('anna', 1);
    void a.change('anna', -1);
    await a.change('anna', 1);
    expect(a.reports).toEqual(['anna came']);
    expect(a.bus.sent).toHaveLength(1);
  });

  it('removes the users of a process that is gone, and no others', async () => {
    await a.change('anna', 1);
    await a.change('bert', 1);
    await b.change('bert', 1);
    a.bus.leave();
    expect(b.reports).toEqual(['anna came', 'bert came', 'anna went']);
  });

  it('sends a new process the current users, and receives those of the new process', async () => {
    await a.change('anna', 1);
    const c = new Side(a.bus.join('c'));
    await c.change('carl', 1);
    a.bus.meet();
    expect(c.reports).toEqual(['carl came', 'anna came']);
    expect(a.reports).toEqual(['anna came', 'carl came']);
  });

  it('asks for the current users again after a lost message', async () => {
    await a.change('anna', 1);
    b.bus.publish = () => undefined; // lost
    await b.change('bert', 1);
    Reflect.deleteProperty(b.bus, 'publish');
    expect(a.reports).toEqual(['anna came']);
    a.bus.miss();
    expect(a.reports).toEqual(['anna came', 'bert came']);
  });

  it('receives a few reports from each process when many start at once, not one per other process', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const many = Array.from({ length: 20 }, (_, i) => new Side(a.bus.join(`c${i}`)));
      await Promise.all(many.map((side, i) => side.change(`user ${i}`, 1)));
      const buses = [a, b, ...many].map(({ bus }) => bus);
      const before = buses.map(({ sent }) => sent.length);
      a.bus.meet();
      await jest.advanceTimersByTimeAsync(5_000);
      expect(Math.max(...buses.map(({ sent }, i) => sent.length - before[i]!))).toBeLessThanOrEqual(6);
      expect(new Set(a.reports)).toEqual(new Set(many.map((_, i) => `user ${i} came`)));
    } finally {
      jest.useRealTimers();
    }
  });
});
