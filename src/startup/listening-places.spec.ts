import os from 'node:os';
import { AddressGuard } from '../delivery/outbound/address-guard.js';
import { OutboundSettings } from '../delivery/outbound/outbound.settings.js';
import { OwnAddress } from '../delivery/outbound/own-address.js';
import type { Change, ChangeHandler, ChangeLog } from '../platform/database/changes/change-log.js';
import { ListeningPlaces } from './listening-places.js';

const MINUTE_MS = 60_000;

describe('ListeningPlaces', () => {
  let handlers: ChangeHandler[];
  let told: number;

  beforeEach(() => {
    jest.useFakeTimers();
    handlers = [];
    told = 0;
    jest.spyOn(os, 'hostname').mockReturnValue('here');
    const lo = ['127.0.0.1', '10.0.0.1'].map((address) => ({ address }));
    jest.spyOn(os, 'networkInterfaces').mockReturnValue({ lo } as never);
  });
  afterEach(() => {
    jest.clearAllTimers();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  /** One of the processes that exchange changes. */
  const start = (port: number): { guard: AddressGuard; places: ListeningPlaces } => {
    let heard: ChangeHandler = () => undefined;
    const changes = {
      isShared: true,
      on: (_topic: string, handler: ChangeHandler) => handlers.push((heard = handler)),
      append: ({ body }: Change) => {
        told++;
        for (const handler of handlers) if (handler !== heard) handler(JSON.parse(JSON.stringify(body)));
      },
    };
    const own = new OwnAddress();
    own.add(port);
    const places = new ListeningPlaces(own, changes as unknown as ChangeLog);
    places.start();
    const settings = new OutboundSettings({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1,10.0.0.0/8' });
    return { guard: new AddressGuard(settings, own), places };
  };

  it('are known to processes that started before and after', () => {
    const all = [8065, 8066, 8067].map((port) => start(port).guard);
    for (const guard of all)
      for (const address of ['127.0.0.1', '10.0.0.1'])
        expect([8065, 8066, 8067, 8068].map((port) => guard.allows('a', address, port))).toEqual([
          false,
          false,
          false,
          true,
        ]);
    expect(told).toBeLessThanOrEqual(9);
  });

  it('of another machine are known only by its own addresses, except those that this machine has too', () => {
    const { guard } = start(8065);
    const addresses = ['10.0.0.2', '10.0.0.1'];
    handlers[0]?.({ from: 'another', machine: 'there', addresses, ports: [8066] });
    expect(guard.allows('a', '10.0.0.2', 8066)).toBe(false);
    expect(guard.allows('a', '10.0.0.2', 8065)).toBe(true);
    for (const address of ['127.0.0.1', '10.0.0.1']) expect(guard.allows('a', address, 8066)).toBe(true);
  });

  it('are forgotten minutes after their process has stopped', async () => {
    const { guard } = start(8065);
    const { places } = start(8066);
    jest.advanceTimersByTime(10 * MINUTE_MS);
    expect(guard.allows('a', '127.0.0.1', 8066)).toBe(false);
    await places.onApplicationShutdown();
    jest.advanceTimersByTime(2 * MINUTE_MS);
    expect(guard.allows('a', '127.0.0.1', 8066)).toBe(false);
    jest.advanceTimersByTime(2 * MINUTE_MS);
    expect(guard.allows('a', '127.0.0.1', 8066)).toBe(true);
  });
});
